/**
 * Resolves the text by which a customer names a ligand. The answer has candidates with previews, and a token for each
 * candidate by which a later request proves that this candidate was meant. Nothing is stored or charged. A search that
 * could not be made is never answered as not found.
 */
import type { Logger } from 'pino';

import type {
  ChargeModel,
  ComponentKey,
  ComponentSearch,
  FoundComponent,
  KnownMolecule,
  KnownMolecules,
  Molecules,
  Structure,
  StructureFault,
} from '../../adapters/chemistry/chemistry.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import type { LigandQueryKind, NamedSource, ResolveLigandRequest } from '../../domain/requests.ts';
import { COMPONENT_ID } from '../../domain/structure-names.ts';
import { createAccountTurns } from './account-turns.ts';
import type { Confirmations } from './confirmation.ts';
import { sourceIdOf } from './confirmation.ts';
import type { ResolveLigandResponse } from '../../domain/answers.ts';
import type { JobWarning } from '../../domain/warnings.ts';

type LigandCandidate = ResolveLigandResponse['candidates'][number];
type LigandPreview = ResolveLigandResponse['candidates'][number]['preview'];

/** The molecules, the table of names, the charge model and the confirmations by which candidates are found, drawn and signed. */
export interface ResolveDependencies {
  readonly molecules: Pick<Molecules, 'findComponents' | 'draw'>;
  readonly known: KnownMolecules;
  readonly charges: Pick<ChargeModel, 'chargeAt' | 'readInchi'>;
  readonly confirmations: Pick<Confirmations, 'sign'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** The pH that a ligand is prepared for where its request says nothing. */
const PROTONATION_PH = 7.4;
const LONGEST_LABEL = 512;
/** Another process of the API may be able to answer, so the client is asked to repeat the request soon. */
const DICTIONARY_RETRY_SECONDS = 5;

/** A word as people write names; a SMILES that is so cannot be told from a name. */
const WORD = /^[A-Za-z]{4,}(?:-[A-Za-z]+)*$/;

/** Form of an InChIKey; the text `InChIKey=` may stand before it. */
const INCHI_KEY = /^(?:InChIKey=)?([A-Z]{14}-[A-Z]{10}-[A-Z])$/i;
/** Layers of an InChI are separated by strokes; what else stands in it is no InChI. */
const INCHI = /^InChI=1S?\/[\w.,/()+?;*-]+$/;

const NOT_ASKED: ComponentSearch = { components: [], isExact: false, isCut: false };
const CANDIDATES_CUT: JobWarning = {
  code: 'CANDIDATES_CUT',
  message: 'There are more components of this name. Ask for more of it.',
};
const NAME_NOT_EXACT: JobWarning = {
  code: 'NAME_NOT_EXACT',
  message:
    'No component of the dictionary is called so; these have it in their names, and may be its esters, dimers or metabolites. Send SMILES for the molecule itself.',
};
const DICTIONARY_MISSING: JobWarning = {
  code: 'DICTIONARY_MISSING',
  message: 'The component dictionary is not installed here: only SMILES were looked for.',
};

/** A candidate before it is drawn. */
interface Option {
  readonly source: NamedSource;
  readonly label: string;
}

/**
 * Ligands that a search found: `certain` ones are called exactly so, `possible` ones have the text in their name and count only
 * without a certain one.
 */
interface Findings {
  readonly certain: readonly Option[];
  readonly possible: readonly Option[];
  readonly arePossibleCut: boolean;
  readonly hasDictionary: boolean;
  /** Why an InChI or InChIKey led to nothing. */
  readonly unread?: string;
}

interface Drawn extends Option {
  readonly structure: Structure;
}

interface Drawings {
  readonly drawn: readonly Drawn[];
  readonly faults: readonly (StructureFault & Option)[];
}

const NONE: Drawings = { drawn: [], faults: [] };

/**
 * Makes the service.
 * @throws RATE_LIMITED when too much of the account waits; SERVICE_UNAVAILABLE when too much of all does, or where the
 * dictionary is not installed and nothing else was found.
 */
export function createResolve(deps: ResolveDependencies) {
  const inTurn = createAccountTurns();
  return (actor: Actor, request: ResolveLigandRequest): Promise<ResolveLigandResponse> =>
    inTurn(actor.accountId, () => resolve(deps, actor, request));
}

async function resolve(
  deps: ResolveDependencies,
  actor: Actor,
  { query, kind }: ResolveLigandRequest,
): Promise<ResolveLigandResponse> {
  const text = query.trim();
  const found = await findOptions(deps, text, kind);
  const certain = await drawAll(deps, found.certain);
  const possible = certain.drawn.length > 0 ? NONE : await drawAll(deps, found.possible);
  const drawn = [...certain.drawn, ...possible.drawn];
  if (drawn.length === 0 && !found.hasDictionary) throw withoutDictionary();
  const faults = [...certain.faults, ...possible.faults];
  const warnings = [
    ...(found.hasDictionary ? [] : [DICTIONARY_MISSING]),
    ...(found.arePossibleCut && certain.drawn.length === 0 ? [CANDIDATES_CUT] : []),
    ...(possible.drawn.length > 0 ? [NAME_NOT_EXACT] : []),
    ...explain(faults, { kind, unread: found.unread, isEmpty: drawn.length === 0 }),
  ];
  const candidates: LigandCandidate[] = [];
  for (const each of drawn) {
    const source = each.source.kind === 'ccd' ? each.source : smilesSource(each.structure.smiles);
    candidates.push({
      resolutionToken: deps.confirmations.sign(actor, { query, source }),
      label: each.label,
      sourceId: sourceIdOf(source),
      source,
      preview: await previewOf(deps, source, each.structure),
    });
  }
  return { candidates, warnings };
}

/** Candidates in the order of their certainty: by id, by the text read as SMILES, by an ordinary name, by a name of the dictionary. */
async function findOptions(
  deps: ResolveDependencies,
  text: string,
  kind: LigandQueryKind | undefined,
): Promise<Findings> {
  const isWanted = (wanted: LigandQueryKind): boolean => kind === undefined || kind === wanted;
  const [, key] = INCHI_KEY.exec(text) ?? [];
  if (key !== undefined && isWanted('name')) return byInchiKey(deps, key.toUpperCase());
  if (/^InChI=/i.test(text) && isWanted('name')) return byInchi(deps, text);
  const look = (by: ComponentKey): Promise<ComponentSearch | null> => deps.molecules.findComponents(text, by);
  const byId = isWanted('ccd') && COMPONENT_ID.test(text) ? await look('id') : NOT_ASKED;
  const known = isWanted('name') ? deps.known.byName(text) : null;
  const byName = isWanted('name') && known === null ? await look('name') : NOT_ASKED;
  const ids = byId?.components ?? [];
  const names = (byName?.components ?? []).filter(
    ({ componentId }) => !ids.some((found) => found.componentId === componentId),
  );
  const smiles = isWanted('smiles') && isOneWord(text) ? [{ source: smilesSource(text), label: text }] : [];
  const isExact = byName?.isExact === true;
  return {
    certain: [
      ...ids.map(optionOf),
      ...smiles,
      ...(known === null ? [] : [knownOption(known)]),
      ...(isExact ? names.map(optionOf) : []),
    ],
    possible: isExact ? [] : names.map(optionOf),
    arePossibleCut: byName?.isCut === true,
    hasDictionary: byId !== null && byName !== null,
  };
}

/** A key is a digest that leads to no structure, so it is looked for among the molecules that are known here. */
async function byInchiKey({ molecules, known: table }: ResolveDependencies, key: string): Promise<Findings> {
  const known = table.byInchiKey(key);
  const found = known === null ? await molecules.findComponents(key, 'inchiKey') : NOT_ASKED;
  return {
    certain: known === null ? (found?.components ?? []).map(optionOf) : [knownOption(known)],
    possible: [],
    arePossibleCut: false,
    hasDictionary: found !== null,
    unread:
      'No molecule that is known here has this InChIKey, and a key alone tells no structure. Send its InChI or SMILES.',
  };
}

async function byInchi({ charges }: ResolveDependencies, text: string): Promise<Findings> {
  const read = INCHI.test(text) ? await charges.readInchi(text) : { smiles: null };
  if (read === null)
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      'InChI cannot be read here at the moment. Send SMILES, or ask again.',
      {
        retryAfterSeconds: DICTIONARY_RETRY_SECONDS,
      },
    );
  return {
    certain: read.smiles === null ? [] : [{ source: smilesSource(read.smiles), label: text }],
    possible: [],
    arePossibleCut: false,
    hasDictionary: true,
    unread:
      'The InChI cannot be read: a layer is missing or wrong. It must be whole, in one line, as InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3.',
  };
}

function knownOption({ names: [name = ''], smiles }: KnownMolecule): Option {
  return { source: smilesSource(smiles), label: name };
}

function optionOf({ componentId, name, synonym }: FoundComponent): Option {
  const label = synonym === null ? name : `${synonym} (${name})`;
  return { source: { kind: 'ccd', componentId }, label: Array.from(label).slice(0, LONGEST_LABEL).join('') };
}

async function drawAll(
  { molecules, log }: ResolveDependencies,
  options: readonly Option[],
): Promise<Drawings> {
  const drawn: Drawn[] = [];
  const faults: (StructureFault & Option)[] = [];
  for (const option of options) {
    const answer = await molecules.draw(option.source);
    if (answer.ok) drawn.push({ ...option, structure: answer.structure });
    else faults.push({ ...option, ...answer.fault });
    if (!answer.ok && answer.fault.code === 'LIGAND_PREPARATION_TIMEOUT')
      log.warn({ kind: option.source.kind }, 'a ligand was not drawn in time');
  }
  return { drawn, faults };
}

interface Asked {
  readonly kind: LigandQueryKind | undefined;
  readonly unread: string | undefined;
}

/** Makes the warnings about ligands that were not drawn. A name that is no SMILES is no fault where it was found as a name. */
function explain(
  faults: readonly (StructureFault & Option)[],
  asked: Asked & { readonly isEmpty: boolean },
): JobWarning[] {
  const told = faults.filter(
    ({ source, code }) => source.kind === 'ccd' || code !== 'LIGAND_PARSE_FAILED' || asked.kind === 'smiles',
  );
  const warnings = told.map(({ code, message }) => ({ code, message }));
  if (!asked.isEmpty || warnings.length > 0) return warnings;
  return [
    {
      code: asked.kind === 'smiles' ? 'LIGAND_PARSE_FAILED' : 'LIGAND_NOT_FOUND',
      message: nothingFound(faults, asked),
    },
  ];
}

function nothingFound([asSmiles]: readonly (StructureFault & Option)[], { kind, unread }: Asked): string {
  if (unread !== undefined) return unread;
  if (kind === 'smiles') return 'A SMILES is one word of ASCII characters.';
  const looked = kind === 'ccd' ? 'id' : kind === 'name' ? 'name' : 'id or name';
  // A plain word was meant as a name.
  const smiles = asSmiles === undefined || WORD.test(asSmiles.label) ? '' : ` ${asSmiles.message}`;
  return `Nothing that is known here has this ${looked}.${smiles} Trade names are rarely known: try the generic or chemical name, an InChI, or SMILES.`;
}

async function previewOf(
  { charges }: ResolveDependencies,
  source: NamedSource,
  { smiles, formula, formalCharge, svg }: Structure,
): Promise<LigandPreview> {
  const answer = await charges.chargeAt(source, PROTONATION_PH);
  const drawn = { canonicalSmiles: smiles, formula, formalCharge, protonationPh: PROTONATION_PH };
  if (answer?.ok === true) {
    const { charge, smiles: smilesAtPh, warnings } = answer;
    return { ...drawn, chargeAtPh: charge, smilesAtPh, svg, warnings: [...warnings] };
  }
  const warning =
    answer === null
      ? {
          code: 'CHARGE_NOT_COMPUTED',
          message: `The charge at pH ${PROTONATION_PH} was not computed here; the preparation decides it. formalCharge is that of the structure as it is drawn.`,
        }
      : { code: answer.code, message: answer.message };
  return { ...drawn, chargeAtPh: null, smilesAtPh: null, svg, warnings: [warning] };
}

function smilesSource(smiles: string): NamedSource {
  return { kind: 'smiles', smiles };
}

/** Whether the text could be SMILES at all; RDKit would read the text after a blank as something else. */
function isOneWord(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text) && !/^InChI(?:Key)?=/i.test(text);
}

function withoutDictionary(): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'The component dictionary is not installed here, and the query is no SMILES. Send SMILES, or ask elsewhere.',
    { retryAfterSeconds: DICTIONARY_RETRY_SECONDS },
  );
}
