"""Tests of the checks of the documentation site."""

import pathlib
import shutil
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs/site"))
try:
    import check_links
    import headers
    import markdown_pages
except ImportError as missing:
    sys.stderr.write(f"SKIPPED: {missing.name} is missing; run scripts/install-packages docs\n")
    sys.exit(77)


def broken_in(pages):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        for name, text in pages.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return list(check_links.broken(root))


class Links(unittest.TestCase):
    def test_a_link_to_a_page_and_its_heading_is_fine(self):
        self.assertEqual([], broken_in({"a.html": '<a href="b/c.html#here">', "b/c.html": '<h2 id="here">'}))

    def test_a_missing_page_is_found(self):
        self.assertEqual(["a.html: b.html links to no file"], broken_in({"a.html": '<a href="b.html">'}))

    def test_a_missing_heading_is_found(self):
        self.assertEqual(["a.html: #there links to no heading"],
                         broken_in({"a.html": '<h2 id="here"><a href="#there">'}))

    def test_a_missing_picture_is_found(self):
        self.assertEqual(["a.html: x.png links to no file"], broken_in({"a.html": '<img src="x.png">'}))

    def test_external_links_are_allowed_but_external_resources_are_not(self):
        self.assertEqual(["a.html: https://example.org/x.png would be loaded from another site"], broken_in(
            {"a.html": '<a href="https://example.org"><img src="https://example.org/x.png">'}))


class Headings(unittest.TestCase):
    def test_anchors_are_those_of_github(self):
        html, title, headings = markdown_pages.render("# A page\n\n## Rows of no class: `stad adapt --json`?\n")
        self.assertEqual("A page", title)
        self.assertEqual("rows-of-no-class-stad-adapt---json", headings[0][0])
        self.assertIn('id="rows-of-no-class-stad-adapt---json"', html)


@unittest.skipUnless(shutil.which("doxygen"), "doxygen is missing; run scripts/install-packages docs")
class Headers(unittest.TestCase):
    def test_a_public_name_without_documentation_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "include/stad").mkdir(parents=True)
            (root / "docs/site").mkdir(parents=True)
            (root / "docs/site/Doxyfile").write_text(pathlib.Path(headers.__file__).with_name("Doxyfile").read_text())
            (root / "include/stad/a.hpp").write_text(
                "namespace stad {\n/// Has one.\nstruct Documented {};\nstruct Undocumented {};\n"
                "int also_undocumented();\n}\n")
            symbols, _ = headers.read_headers(root)
        self.assertEqual([("Documented", "Has one."), ("Undocumented", ""), ("also_undocumented", "")],
                         [(symbol.name, symbol.brief) for symbol in symbols])


if __name__ == "__main__":
    unittest.main()
