"""As much of JSON Schema 2020-12 as our schemas use; an unknown keyword is an error, so nothing goes unchecked.

The schemas are those by which the control side judges what a session wrote.
"""

import json
import re
from functools import cache
from pathlib import Path

_TOOLS = Path(__file__).parents[3] / "src" / "tools"

_TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
    "integer": int,
    "number": (int, float),
}
_IGNORED = {"$schema", "$id", "$defs", "title", "description", "format"}


@cache
def schema_of(name, tool="autodock-vina"):
    """A schema of a tool by the name of its file."""
    return json.loads((_TOOLS / tool / f"{name}.schema.json").read_text())


def violations(value, schema, root=None, where="$"):
    """Say where a value does not fit a schema; empty when it does."""
    root = schema if root is None else root
    found = []
    for keyword, rule in schema.items():
        if keyword not in _IGNORED:
            found += _CHECKS[keyword](value, rule, schema, root, where)
    return found


def _ref(value, rule, _schema, root, where):
    schema, _, name = rule.partition("#/$defs/")
    other = root if schema == "" else {each["$id"]: each for each in [schema_of("result")]}[schema]
    return violations(value, other["$defs"][name], other, where)


def _type(value, rule, _schema, _root, where):
    kinds = [rule] if isinstance(rule, str) else rule
    fits = any(
        isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
        for kind in kinds
    )
    return [] if fits else [f"{where}: no {' or '.join(kinds)}"]


def _properties(value, rule, _schema, root, where):
    if not isinstance(value, dict):
        return []
    return [
        violation
        for name in rule.keys() & value.keys()
        for violation in violations(value[name], rule[name], root, f"{where}.{name}")
    ]


def _additional(value, rule, schema, root, where):
    extra = [] if not isinstance(value, dict) else sorted(value.keys() - schema.get("properties", {}).keys())
    if rule is False:
        return [f"{where}: {name} is not known" for name in extra]
    return [
        violation for name in extra for violation in violations(value[name], rule, root, f"{where}.{name}")
    ]


def _required(value, rule, _schema, _root, where):
    return [f"{where}: {name} is missing" for name in rule if isinstance(value, dict) and name not in value]


def _items(value, rule, _schema, root, where):
    items = value if isinstance(value, list) else []
    return [
        violation
        for i, item in enumerate(items)
        for violation in violations(item, rule, root, f"{where}[{i}]")
    ]


def _one_of(value, rule, _schema, root, where):
    fitting = sum(not violations(value, option, root, where) for option in rule)
    return [] if fitting == 1 else [f"{where}: fits {fitting} of the alternatives"]


def _all_of(value, rule, _schema, root, where):
    return [violation for option in rule for violation in violations(value, option, root, where)]


def _unique_items(value, rule, _schema, _root, where):
    items = [json.dumps(item, sort_keys=True) for item in value] if isinstance(value, list) and rule else []
    return [] if len(items) == len(set(items)) else [f"{where}: has an item twice"]


def _compare(is_right, kinds):
    def check(value, rule, _schema, _root, where):
        is_bad = isinstance(value, kinds) and not isinstance(value, bool) and not is_right(value, rule)
        return [f"{where}: {value!r} against {rule!r}"] if is_bad else []

    return check


_CHECKS = {
    "$ref": _ref,
    "type": _type,
    "properties": _properties,
    "additionalProperties": _additional,
    "required": _required,
    "items": _items,
    "oneOf": _one_of,
    "allOf": _all_of,
    "uniqueItems": _unique_items,
    "not": lambda value, rule, _schema, root, where: (
        [] if violations(value, rule, root, where) else [f"{where}: is what it must not be"]
    ),
    "const": lambda value, rule, _schema, _root, where: [] if value == rule else [f"{where}: not {rule!r}"],
    "enum": lambda value, rule, _schema, _root, where: (
        [] if value in rule else [f"{where}: none of {rule!r}"]
    ),
    "pattern": _compare(lambda value, rule: re.search(rule, value) is not None, str),
    "minLength": _compare(lambda value, rule: len(value) >= rule, str),
    "maxLength": _compare(lambda value, rule: len(value) <= rule, str),
    "minItems": _compare(lambda value, rule: len(value) >= rule, list),
    "maxItems": _compare(lambda value, rule: len(value) <= rule, list),
    "minimum": _compare(lambda value, rule: value >= rule, (int, float)),
    "maximum": _compare(lambda value, rule: value <= rule, (int, float)),
    "exclusiveMinimum": _compare(lambda value, rule: value > rule, (int, float)),
}
