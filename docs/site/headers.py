"""Symbols of the public headers with location and documentation, from the XML of doxygen."""

import pathlib
import subprocess
import tempfile
import xml.etree.ElementTree as tree
from dataclasses import dataclass

KINDS = {"class", "struct", "enum", "function", "typedef", "variable"}


@dataclass
class Symbol:
    name: str
    kind: str
    path: str
    line: int
    brief: str


def _text(element):
    return "" if element is None else " ".join("".join(element.itertext()).split())


def _symbol(element, name):
    """None for symbols declared outside include/stad and for forward declarations."""
    location = element.find("location")
    if location is None or not location.get("file", "").startswith("include/stad/"):
        return None
    brief = _text(element.find("briefdescription")) or _text(element.find("detaileddescription"))
    return Symbol(name, element.get("kind"), location.get("file"), int(location.get("line")), brief)


def _declared(folder):
    for file in sorted(folder.glob("*.xml")):
        for compound in tree.parse(file).getroot().iter("compounddef"):
            if compound.get("kind") in ("class", "struct"):
                name = compound.findtext("compoundname").removeprefix("stad::")
                if "::" not in name and "<" not in name:  # neither nested types nor specialisations
                    yield _symbol(compound, name)
            elif compound.get("kind") in ("file", "namespace"):
                for member in compound.iter("memberdef"):
                    if member.get("kind") in KINDS and member.get("prot") != "private":
                        yield _symbol(member, member.findtext("name"))


def read_headers(root):
    """All public symbols, ordered by file and line, and the warnings of doxygen."""
    with tempfile.TemporaryDirectory() as folder:
        settings = (root / "docs/site/Doxyfile").read_text() + f"\nOUTPUT_DIRECTORY = {folder}\n"
        run = subprocess.run(["doxygen", "-"], input=settings, cwd=root, text=True, capture_output=True, check=True)
        found = {}
        for symbol in filter(None, _declared(pathlib.Path(folder) / "xml")):
            known = found.get((symbol.path, symbol.name))
            if known is None or (symbol.brief and not known.brief):  # of overloads, one must be documented
                found[symbol.path, symbol.name] = symbol
    problems = [line for line in run.stderr.splitlines() if "warning" in line]
    return sorted(found.values(), key=lambda symbol: (symbol.path, symbol.line)), problems
