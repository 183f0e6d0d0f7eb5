"""One form of JSON per value (RFC 8785), so that a digest is of the data and the same in every language.

Keys go by their UTF-16 code units, numbers as ECMAScript writes them, nothing is put between tokens.
"""

import hashlib
import json
import math
from pathlib import Path
from typing import Any

_BLOCK_BYTES = 1024 * 1024


def canonical_json(value: Any) -> bytes:
    """Write JSON data (dict, list, tuple, str, int, float, bool, None) in its canonical form, as UTF-8.

    Raises ValueError on a number that JSON cannot hold and TypeError on anything that is no JSON data.
    """
    return _write(value).encode()


def canonical_sha256(value: Any) -> str:
    """SHA-256 of the canonical JSON of a value, in lower-case hex."""
    return sha256_hex(canonical_json(value))


def sha256_hex(data: bytes) -> str:
    """SHA-256 of bytes, in lower-case hex."""
    return hashlib.sha256(data).hexdigest()


def sha256_file(path: Path) -> str:
    """SHA-256 of a file's bytes, in lower-case hex."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()


def write_json(path: Path, value: Any) -> None:
    """Write a value for people to read: sorted keys, two spaces, one newline at the end."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, indent=2, allow_nan=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", encoding="utf-8")


def _write(value: Any) -> str:
    if value is None or isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        # Beyond 2**53 a reader that knows only doubles would read another number.
        return str(value) if abs(value) <= 2**53 else _write_float(float(value))
    if isinstance(value, float):
        return _write_float(value)
    if isinstance(value, list | tuple):
        return "[" + ",".join(_write(item) for item in value) + "]"
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(f"{_write(key)}:{_write(value[key])}" for key in keys) + "}"
    raise TypeError(f"{type(value).__name__} is no JSON data")


def _write_float(value: float) -> str:
    """A double as ECMAScript's Number::toString does; the digits are the shortest that read back the same."""
    if not math.isfinite(value):
        raise ValueError("JSON has no infinite and no undefined number")
    if value == 0:
        return "0"
    mantissa, _, exponent = f"{value!r}".lower().lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    leading_zeros = len(whole + fraction) - len(digits)
    point = len(whole) - leading_zeros + int(exponent or 0)
    digits = digits.rstrip("0")
    return ("-" if value < 0 else "") + _place_point(digits, point)


def _place_point(digits: str, point: int) -> str:
    """Put the decimal point behind the first `point` digits, or use an exponent where ECMAScript does."""
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    exponent = point - 1
    head = digits if count == 1 else digits[0] + "." + digits[1:]
    return f"{head}e{'+' if exponent > 0 else '-'}{abs(exponent)}"
