"""What the API document says in words, because a schema cannot: requests that are to be accepted keep to it.

Each rule is one function; `test/api/contract.test.ts` holds the words against the document. A rule changes requests
that fit their schemas and are to be accepted, never those that are to be refused.
"""

import json
import zlib
from collections.abc import Callable, Iterable
from typing import Any

import schemathesis
from schemathesis import Case, HookContext, Response

KEY_HEADER = "Idempotency-Key"
SOME_DIGEST = "A" * 43 + "="

# Uploads by their ids, as answers told of them; requests learn ids from answers only.
UPLOADS: dict[str, dict[str, Any]] = {}


def keys_agree(case: Case) -> None:
    """The header and the keys in the body must be the same: the body's own key is kept where it has one."""
    body = case.body
    if not isinstance(body, dict):
        return
    link = body.get("dockingRequest")
    holders = [holder for holder in (body, link) if isinstance(holder, dict) and "idempotencyKey" in holder]
    if holders and case.headers is not None:
        case.headers.pop(KEY_HEADER, None)
    for holder in holders:
        holder["idempotencyKey"] = holders[0]["idempotencyKey"]


def cursors_are_answered(case: Case) -> None:
    """A cursor is one that the same list answered, which a generated text never is."""
    if case.query is not None:
        case.query.pop("cursor", None)


def ligands_have_ids_of_their_own(case: Case) -> None:
    """No two ligands of a library have the same id."""
    for holder, name in (
        (_inner(case.body, "simulationParams"), "ligandLibrary"),
        (_inner(case.body), "ligands"),
    ):
        _keep_first(holder, name, lambda ligand: ligand["ligandId"])


def residues_are_fixed_once(case: Case) -> None:
    """Each residue has one protonation state."""
    for preparation in _preparations(case):
        _keep_first(preparation, "fixedProtonationStates", _place)


def components_are_removed_or_retained(case: Case) -> None:
    """No component is removed and retained."""
    for preparation in _preparations(case):
        retained = {component.upper() for component in preparation.get("retainComponents", [])}
        removed = preparation.get("removeComponents", [])
        if removed:
            preparation["removeComponents"] = [each for each in removed if each.upper() not in retained]


def states_fit_their_residues(case: Case) -> None:
    """A residue is fixed in a state that it can have."""
    for fixed in (each for held in _preparations(case) for each in held.get("fixedProtonationStates", [])):
        states = {"HIS": ("delta", "epsilon", "both"), "LYS": ("cationic", "neutral")}
        allowed = states.get(fixed["residueName"], ("anionic", "neutral"))
        if fixed["state"] not in allowed:
            fixed["state"] = allowed[0]


def residues_are_removed_or_retained(case: Case) -> None:
    """No residue is removed and retained."""
    for preparation in _preparations(case):
        retained = {_place(residue) for residue in preparation.get("retainResidues", [])}
        removed = preparation.get("removeResidues", [])
        if removed:
            preparation["removeResidues"] = [each for each in removed if _place(each) not in retained]


def side_chains_turn_once(case: Case) -> None:
    """Each side chain turns once, and is not removed."""
    for preparation in _preparations(case):
        _keep_first(preparation, "flexibleResidues", _place)
        flexible = {_place(residue) for residue in preparation.get("flexibleResidues", [])}
        removed = preparation.get("removeResidues", [])
        if removed:
            preparation["removeResidues"] = [each for each in removed if _place(each) not in flexible]


def receptors_are_structures(case: Case) -> None:
    """The receptor of an experiment or a batch is a file in pdb or mmcif."""
    artifact = _inner(case.body, "receptor", "source", "artifact")
    if artifact.get("format") not in (None, "pdb", "mmcif"):
        artifact["format"] = "pdb"


def explicit_boxes_are_whole(case: Case) -> None:
    """An explicit box has centre and size."""
    box = _inner(case.body, "parameters", "box")
    if _inner(box, "derivation").get("kind") == "explicit":
        box["center"] = box.get("center") or [0, 0, 0]
        box["size"] = box.get("size") or [20, 20, 20]


def parts_fit_their_upload(case: Case) -> None:
    """Each part is named once, has a number that its upload has, and a digest exactly where the upload checks parts."""
    body = case.body if isinstance(case.body, dict) else {}
    _keep_first(body, "parts", lambda part: part["partNumber"])
    upload = UPLOADS.get(case.path_parameters.get("uploadId")) if case.path_parameters else None
    if upload is None or "parts" not in body:
        return
    parts = [part for part in body["parts"] if part["partNumber"] <= upload["partCount"]] or [
        {"partNumber": 1}
    ]
    for part in parts:
        part.pop("checksumSha256", None)
        if upload["checksumAlgorithm"] is not None:
            part["checksumSha256"] = SOME_DIGEST
    body["parts"] = parts


def some_jobs_can_run(case: Case) -> None:
    """Most generated jobs name no tool that is there; every fourth one is made a short job of the test tool."""
    body = case.body
    if case.operation.path not in ("/jobs/submit", "/jobs/estimate") or not isinstance(body, dict):
        return
    if zlib.crc32(json.dumps(body, sort_keys=True).encode()) % 4 > 0:
        return
    for name in ("sceneFile", "attachments", "simulationParams"):
        body.pop(name, None)
    body.update(jobType="simulation", simulator="noop", taskCount=1)


def estimates_name_what_is_known(case: Case) -> None:
    """Hardware, software and region of a public estimate are those of the price book, as the defaults are."""
    if case.operation.path != "/public/estimate" or not isinstance(case.body, dict):
        return
    for name in ("hardware", "software", "region"):
        case.body.pop(name, None)


def limits_name_keys_once(case: Case) -> None:
    """A list of limits has each key once."""
    body = case.body if isinstance(case.body, dict) else {}
    _keep_first(body, "keyLimits", lambda limit: limit["keyId"].lower())


def fewer_are_missing_than_asked(case: Case) -> None:
    """A pose may lack fewer interactions than were asked for."""
    for query in (case.query, case.body):
        if not isinstance(query, dict) or "maxMissing" not in query:
            continue
        asked = query.get("interaction", [])
        if int(query["maxMissing"]) >= len(set(asked if isinstance(asked, list) else [asked])):
            query.pop("maxMissing")


def poses_are_of_sdf(case: Case) -> None:
    """Which modes are exported is asked of an SDF alone."""
    body = case.body
    if case.operation.path.endswith("/export") and isinstance(body, dict) and body.get("format") != "sdf":
        body.pop("poses", None)


def hydrogens_stay_as_given(case: Case) -> None:
    """A ligand whose hydrogens stay as they were sent is in no likelier tautomer."""
    params, body = _inner(case.body, "simulationParams"), _inner(case.body)
    holders = [
        params.get("ligandIdentity"),
        *(params.get("ligandLibrary") or []),
        *(body.get("ligands") or []),
    ]
    for preparation in [
        *(_inner(each, "preparation") for each in holders),
        _inner(body, "ligandPreparation"),
    ]:
        if preparation.get("protonation") == "as_given":
            preparation.pop("tautomer", None)
            preparation.pop("states", None)


def changes_expect_one_version(case: Case) -> None:
    """A change of a project expects one version, in the query or in the body."""
    if "/molecular/projects/" not in case.operation.path or case.operation.method.upper() == "GET":
        return
    if isinstance(case.body, dict):
        case.body.pop("expectedVersion", None)
    if case.query is not None:
        case.query.setdefault("expectedVersion", 1)


def usage_is_of_the_days_before(case: Case) -> None:
    """The usage of credits begins before it ends, at most a year before."""
    if case.operation.path == "/credits/usage" and case.query is not None:
        case.query.pop("from", None)


RULES: list[Callable[[Case], None]] = [
    keys_agree,
    cursors_are_answered,
    ligands_have_ids_of_their_own,
    residues_are_fixed_once,
    components_are_removed_or_retained,
    states_fit_their_residues,
    residues_are_removed_or_retained,
    side_chains_turn_once,
    receptors_are_structures,
    explicit_boxes_are_whole,
    parts_fit_their_upload,
    some_jobs_can_run,
    estimates_name_what_is_known,
    limits_name_keys_once,
    fewer_are_missing_than_asked,
    poses_are_of_sdf,
    hydrogens_stay_as_given,
    changes_expect_one_version,
    usage_is_of_the_days_before,
]


@schemathesis.hook
def before_call(context: HookContext, case: Case, kwargs: dict[str, Any]) -> None:
    """Applies every rule to a request that is to be accepted."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    for rule in RULES:
        rule(case)


@schemathesis.hook
def after_call(context: HookContext, case: Case, response: Response) -> None:
    """Remembers the uploads that an answer tells of."""
    if "/uploads" not in case.operation.path or response.status_code >= 300 or not response.content:
        return
    answer = response.json()
    for upload in answer.get("uploads", [answer]):
        if "checksumAlgorithm" in upload and upload["partCount"] is not None:
            UPLOADS[upload["uploadId"]] = upload


def _preparations(case: Case) -> list[dict[str, Any]]:
    """How receptors are prepared: by a job, and by an experiment or a batch."""
    return [
        _inner(case.body, "simulationParams", "receptorPreparation"),
        _inner(case.body, "receptor", "preparation"),
    ]


def _place(residue: dict[str, Any]) -> tuple[str, int, str]:
    return residue["chain"], residue["residue"], residue.get("insertionCode", "").strip()


def _inner(value: Any, *path: str) -> dict[str, Any]:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _keep_first(holder: dict[str, Any], name: str, key: Callable[[Any], Any]) -> None:
    items: Iterable[Any] | None = holder.get(name)
    if items is not None:
        holder[name] = list({key(item): item for item in items}.values())
