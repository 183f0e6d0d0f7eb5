"""Reads a command file of SWAN into its commands, each entry with its line and columns.

The rules are those of the manual's appendix B: a command is a line, which `&` or `_` at its end continues; all after
`!` and all between two `$` is comment; an entry is a word, a number (`3*0.` three times), a text in quotes, or
`[name]=value`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from dockyard_session.errors import ScienceError

#: Keywords of commands, each with the letters by which SWAN knows it.
KEYWORDS = (
    "PROJ", "SET", "MODE", "COORD", "CGRID", "GRID", "READ", "INP", "WIND", "ICE", "CICE", "IC4M2", "BOU", "INIT",
    "GEN1", "GEN2", "GEN3", "GEN4", "SSWELL", "NEG", "WCAP", "QUAD", "MDIA", "BRE", "FRIC", "BIPH", "TRI", "VEGE",
    "TURB", "MUD", "SICE", "LIM", "OBST", "SURFB", "SETUP", "DIFFR", "OFF", "PROP", "NUM", "FRA", "GROUP", "SUBG",
    "CURV", "RAY", "ISO", "POIN", "NGR", "QUANT", "OUTP", "BLO", "TAB", "SPEC", "NEST", "TEST", "COMP", "HOTF", "REST",
    "BACK", "SAVE", "STOP", "BRAG", "SCAT", "AGROW", "INCL",
)  # fmt: skip
#: Further names of a command.
_SAME = {"GRID": "CGRID", "SUBG": "GROUP", "REST": "HOTF", "BACK": "HOTF", "SAVE": "HOTF"}
#: The characters of a line that SWAN reads; it passes over those behind without a word.
_LINE_CHARACTERS = 180

_TOKEN = re.compile(
    r"""(?P<text>'(?:[^']|'')*'|"[^"]*")|(?P<name>[A-Za-z_]\w*)\s*=\s*|(?P<word>[^\s,='"&]+)|(?P<other>['"])""",
)
_NUMBER = re.compile(r"^(?:(\d+)\*)?([+-]?(?:\d+\.?\d*|\.\d+)(?:[EeDd][+-]?\d+)?)$")
_NOT_A_NUMBER = re.compile(r"^(?:\d+\*)?[+-]?(?:nan|inf(?:inity)?)$", re.IGNORECASE)


@dataclass(frozen=True)
class Entry:
    """One entry of a command: `text` without quotes, where it stands (lines from 1, columns from 0).

    Its characters stand for bytes, which SWAN takes as they are.
    """

    text: str
    is_text: bool
    line: int
    start: int
    end: int
    name: str | None = None

    @property
    def number(self) -> float | None:
        """Its number, or None where it is none."""
        match = None if self.is_text else _NUMBER.match(self.text)
        return None if match is None else float(match[2].replace("D", "E").replace("d", "e"))

    @property
    def path(self) -> str:
        """The file that it names."""
        return self.text.encode("latin-1").decode("utf-8", "surrogateescape")

    @property
    def repeats(self) -> int:
        """How many times its number stands there."""
        match = _NUMBER.match(self.text)
        return int(match[1]) if match is not None and match[1] else 1

    def is_word(self, letters: str) -> bool:
        """Whether it is a keyword with these first letters."""
        return not self.is_text and self.text.upper().startswith(letters)


@dataclass
class Command:
    """A command with its keyword, its entries without the keyword, and its lines, from 1, both included.

    The keyword is one of KEYWORDS, but READG or READI for READ, and BOUN or BOUNDN, of a nest, for BOU.
    """

    keyword: str
    first_line: int
    last_line: int = 0
    entries: list[Entry] = field(default_factory=list)

    def texts(self) -> list[Entry]:
        """The entries in quotes."""
        return [entry for entry in self.entries if entry.is_text]

    def find(self, letters: str, after: int = 0) -> int | None:
        """Where the first keyword with these letters stands among the entries; None where there is none."""
        for index, entry in enumerate(self.entries[after:], start=after):
            if entry.is_word(letters):
                return index
        return None

    def numbers_after(self, index: int) -> list[Entry]:
        """The numbers that follow an entry, up to the next that is none."""
        found = []
        for entry in self.entries[index + 1 :]:
            if entry.number is None:
                break
            found.append(entry)
        return found


@dataclass(frozen=True)
class CommandFile:
    """A command file: its name, lines without their ends, and commands up to STOP."""

    name: str
    lines: list[str]
    commands: list[Command]

    def all(self, keyword: str) -> list[Command]:
        """The commands with this keyword."""
        return [command for command in self.commands if command.keyword == keyword]

    def place(self, line: int) -> str:
        """A place of the file in words."""
        return f"{self.name}, line {line}"

    def invalid(self, line: int, what: str) -> ScienceError:
        """The failure that names a line."""
        return ScienceError("CASE_INVALID", f"{self.place(line)}: {what}")


def read_commands(name: str, data: bytes) -> CommandFile:
    """Read a command file; raises CASE_INVALID with file and line."""
    lines = data.decode("latin-1").replace("\r\n", "\n").replace("\t", " ").split("\n")
    file = CommandFile(name, lines, [])
    is_continued = False
    for number, text in enumerate(lines, start=1):
        found = list(_entries(file, text, number))
        if found and found[-1].end > _LINE_CHARACTERS:
            raise file.invalid(
                number,
                f"SWAN reads {_LINE_CHARACTERS} characters of a line, and this one has {found[-1].end}: end it with &"
                " before, and go on in the next.",
            )
        goes_on = bool(found) and not found[-1].is_text and found[-1].text in {"&", "_"}
        entries = found[:-1] if goes_on else found
        if not found:
            continue
        _take(file, entries, number, is_continued=is_continued)
        is_continued = goes_on
        if file.commands and file.commands[-1].keyword == "STOP":
            return file
    raise file.invalid(len(lines), "The file ends without STOP, which SWAN demands as its last command.")


def _take(file: CommandFile, entries: list[Entry], line: int, *, is_continued: bool) -> None:
    first = entries[0] if entries else None
    # Titles stand on lines of their own below PROJECT.
    is_title = first is not None and first.is_text
    if not is_continued and first is not None and not is_title:
        file.commands.append(Command(_keyword_of(file, entries), line))
        entries = entries[1:]
    if not file.commands:
        raise file.invalid(line, "The file begins with no command.")
    file.commands[-1].last_line = line
    file.commands[-1].entries.extend(entries)


def _keyword_of(file: CommandFile, entries: list[Entry]) -> str:
    word = entries[0].text.upper()
    # SWAN reads no more of a keyword than the letters that tell it; of two that begin alike the longer is meant.
    found = next((each for each in sorted(KEYWORDS, key=len, reverse=True) if word.startswith(each)), None)
    if found is None:
        raise file.invalid(entries[0].line, f"'{entries[0].text}' is no command of SWAN.")

    def goes_on(*words: str) -> bool:
        return any(entry.is_word(letters) for entry in entries[1:2] for letters in words)

    match found:
        case "INCL":
            raise file.invalid(
                entries[0].line, "INCLUDE is not read here: put the commands of that file in its place."
            )
        case "READ":
            return "READG" if goes_on("COOR", "UNSTR") else "READI"
        case "BOU":
            return "BOUNDN" if goes_on("NE", "WAMN", "WW3", "WWIII") else "BOUN"
        case _:
            return _SAME.get(found, found)


def _entries(file: CommandFile, text: str, line: int) -> Iterator[Entry]:
    name: str | None = None
    for match in _TOKEN.finditer(_without_comment(text)):
        if match["other"] is not None:
            raise file.invalid(line, "A quote is opened and not closed.")
        if match["name"] is not None:
            name = match["name"]
            continue
        start, end = match.span()
        is_text = match["text"] is not None
        quote = match[0][0]
        value = match[0][1:-1].replace(quote * 2, quote) if is_text else match[0]
        entry = Entry(value, is_text, line, start, end, name)
        name = None
        if not is_text and _NOT_A_NUMBER.match(value):
            raise file.invalid(line, f"'{value}' is no number that SWAN can compute with.")
        yield entry
    # `&` at the end of a line, also right behind an entry.
    rest = _without_comment(text).rstrip()
    if rest.endswith("&"):
        yield Entry("&", False, line, len(rest) - 1, len(rest))


def _without_comment(text: str) -> str:
    """The line with blanks in the place of comments, so that columns stay."""
    kept: list[str] = []
    quote, is_comment = "", False
    for index, character in enumerate(text):
        if is_comment:
            is_comment = character != "$"
            kept.append(" ")
        elif quote:
            quote = "" if character == quote else quote
            kept.append(character)
        elif character == "!":
            return "".join(kept) + " " * (len(text) - index)
        elif character == "$":
            is_comment = True
            kept.append(" ")
        else:
            quote = character if character in "'\"" else ""
            kept.append(character)
    return "".join(kept)
