# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The rows of tests/whole_programs, from a file, checked, and with defaults. README.md explains each name."""
import dataclasses
import fnmatch
import tomllib

KINDS = ("false claim", "true claim")
CTEST_RESULTS = ("Passed", "Failed", "Skipped", "none")  # none: no such test, or ctest itself refused
VIOLATED, WRONG_INPUT, ERROR = 1, 2, 4  # of `perfspec report`


class WrongRow(Exception):
    """An unusable file of rows: the row, and the remedy."""


@dataclasses.dataclass(frozen=True)
class Row:
    name: str
    kind: str
    program: str = ""         # target perfspec_whole_<program>
    test: str = ""            # of Catch2; empty for programs with a main of their own
    files: dict = dataclasses.field(default_factory=dict)  # name: content, written into the folder first
    environment: dict = dataclasses.field(default_factory=dict)
    before: tuple = ()        # earlier runs of the same test, each with an environment of its own
    exit: tuple = ()          # right exit codes
    says: tuple = ()
    says_not: tuple = ()
    ctest: tuple = ()         # right results; empty: not run under ctest, too
    report: tuple = ()        # right exit codes of `perfspec report`; empty: not asked
    report_options: tuple = ()
    busy: bool = False        # two processes compute beside it
    if_built: bool = False    # left out where the compiler cannot build the program
    timeout: float = 60
    group: str = ""


def read_rows(files):
    """All rows of these files, in their order. Throws WrongRow."""
    rows = [row for file in files for row in read_group(file)]
    names = [row.name for row in rows]
    for name in names:
        if names.count(name) > 1:
            raise WrongRow(f"two rows are named {name!r}: a name is for one row, because --rows picks by it")
    return rows


def read_group(file):
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as problem:
        raise WrongRow(f"{file}: {problem}") from None
    rows = table.pop("row", None)
    if not rows or "name" in table:
        raise WrongRow(f"{file}: found {', '.join(sorted(table)) or 'nothing'}, needs rows; what stands before them is that of each row")
    return [make_row(file, table | given) for given in rows]


def make_row(file, given):
    where = f"{file}: row {given.get('name', '(without a name)')!r}"
    known = {field.name: field for field in dataclasses.fields(Row) if field.name != "group"}
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise WrongRow(f"{where}: {unknown[0]!r} is unknown; a row takes {', '.join(known)}")
    values = {name: as_declared(value, known[name]) for name, value in given.items()}
    if values.get("kind") not in KINDS or not values.get("name"):
        raise WrongRow(f"{where}: needs a name, and a kind of {' or '.join(map(repr, KINDS))}")
    if not values.get("program"):
        raise WrongRow(f"{where}: needs a program")
    row = Row(**(defaults(values) | values), group=file.stem)
    for result in row.ctest:
        if result not in CTEST_RESULTS:
            raise WrongRow(f"{where}: ctest = {result!r}; needs some of {', '.join(CTEST_RESULTS)}")
    return row


def as_declared(value, field):
    """A single value means a list of one."""
    if field.type is tuple:
        return tuple(value) if isinstance(value, list) else (value,)
    return value


def defaults(values):
    """Defaults by the kind and the exit code: a false claim is violated, a true one passes, and report agrees with the program."""
    codes = values.get("exit", (42,) if values["kind"] == "false claim" else (0,))
    judged = {0: (0,), 2: (WRONG_INPUT,), 77: (0,), 42: (VIOLATED, ERROR)}
    reported = tuple(dict.fromkeys(code for given in codes for code in judged.get(given, (ERROR,))))
    return {"exit": codes, "report": reported}


def chosen(rows, pattern, group):
    """Those whose name matches a pattern of the shell, of one group."""
    return [row for row in rows if fnmatch.fnmatch(row.name, pattern) and group in ("", row.group)]
