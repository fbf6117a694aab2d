"""Checks the built pages: every link points to an existing file and anchor, and no resource is loaded from another
site."""

import html.parser
import pathlib
import sys
import urllib.parse


class _Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.resources = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.anchors.add(value)
            elif name == "href" and tag == "a":
                self.links.append(value)
            elif name in ("src", "srcset", "href"):
                self.resources.append(value)


def broken(folder):
    """One message for each broken link."""
    pages = {path: _Page(path.read_text()) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        where = path.relative_to(folder)
        for reference in page.links + page.resources:
            parts = urllib.parse.urlsplit(reference)
            if parts.scheme in ("http", "https", "mailto"):
                if reference in page.resources:
                    yield f"{where}: {reference} would be loaded from another site"
                continue
            if parts.scheme == "data":
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path.resolve()
            if not target.is_file():
                yield f"{where}: {reference} links to no file"
            elif parts.fragment and parts.fragment not in pages[target].anchors:
                yield f"{where}: {reference} links to no heading"


if __name__ == "__main__":
    problems = list(broken(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(problems), file=sys.stderr)
    sys.exit(bool(problems))
