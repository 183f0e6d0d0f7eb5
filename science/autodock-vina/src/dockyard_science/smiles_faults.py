"""Says what is wrong with a text that is no SMILES, and where: RDKit tells the place in its log alone.

The log is read while that one text is parsed once more, and is then as it was before.
"""

import logging
import re

from rdkit import Chem, rdBase

_REASON = re.compile(r"SMILES Parse Error: (?!check|Failed)(.+?) (?:while parsing|for input)")
_PLACE = re.compile(r"check for mistakes around position (\d+)")
_ATOM = re.compile(r"\batom (\d+)")
# What RDKit calls a fault, where a chemist would not.
_WORDS = {
    "syntax error": "what stands there is no part of a SMILES",
    "extra open parentheses": "a parenthesis is opened and not closed",
    "extra close parentheses": "a parenthesis is closed that was not opened",
    "unclosed ring": "a ring is opened by its number and not closed",
}


class _Lines(logging.Handler):
    """Keeps the lines of a log."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one line."""
        self.lines.append(record.getMessage())


def smiles_fault(smiles: str) -> str | None:
    """The first fault of a text that cannot be parsed, with its place, counted from 1; None where RDKit names none."""
    said = "\n".join(_log_of(smiles))
    reason, place = _REASON.search(said), _PLACE.search(said)
    if reason is None:
        return None
    # RDKit counts atoms from 0.
    plain = _ATOM.sub(lambda found: f"atom {int(found[1]) + 1}", reason[1])
    words = _WORDS.get(plain, plain)
    return words if place is None else f"near character {place[1]}, {words}"


def _log_of(smiles: str) -> list[str]:
    lines = _Lines()
    logger = logging.getLogger("rdkit")
    kept, logger.handlers = logger.handlers, [lines]
    status = rdBase.LogStatus().split()
    # Meeko has this done when it is loaded, and it enables what was disabled.
    rdBase.LogToPythonLogger()
    rdBase.EnableLog("rdApp.error")
    try:
        Chem.MolFromSmiles(smiles, sanitize=False)
    finally:
        for name, _, state in (each.partition(":") for each in status):
            (rdBase.EnableLog if state == "enabled" else rdBase.DisableLog)(name)
        logger.handlers = kept
    return lines.lines
