#!/usr/bin/python3
"""Builds the documentation site as static HTML: README, docs/, the public headers and the Python package.

    PYTHONPATH=build/python docs/site/build.py build/docs/html

Prints problems and fails if there are any: a public name without documentation, a page that is not in the navigation, a
broken link.
"""

import html
import importlib.util
import os
import pathlib
import re
import shutil
import string
import sys
import tomllib

sys.dont_write_bytecode = True
try:
    import check_links
    import code_pages
    import headers
    import markdown_pages
    import package
except ImportError as missing:
    sys.stderr.write(f"SKIPPED: {missing.name} is missing; run scripts/install-packages docs\n")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = (".png", ".svg")
GENERATED = ("include/stad", "bindings/python/stad")
# Prefixes of source files, and the page that lists them.
LISTED = (("include/stad/", "include/stad"), ("examples/", "docs/examples.md"))


def page_path(path):
    """Path in the site of the page of a repository file."""
    if path == "README.md":
        return "index.html"
    if path in GENERATED:
        return path + "/index.html"
    return path.removesuffix(".md") + ".html"


def from_to(path, target):
    """Relative link from one page to another, or to an image."""
    end = target if target.endswith(IMAGES) else page_path(target)
    return os.path.relpath(end, os.path.dirname(page_path(path)) or ".")


class Site:
    def __init__(self, out):
        self.out = out
        self.sections = tomllib.loads((ROOT / "docs/site/navigation.toml").read_text())["section"]
        self.order = [path for section in self.sections for _, path in section["pages"]]
        self.titles = {path: title for section in self.sections for title, path in section["pages"]}
        self.template = string.Template((ROOT / "docs/site/page.html").read_text())
        self.symbols, self.problems = headers.read_headers(ROOT)
        self.declared = {symbol.name: (symbol.path, symbol.line) for symbol in self.symbols}
        self.sources = {symbol.path for symbol in self.symbols}  # source files to write as pages
        self.images = set()

    def build(self):
        for page in sorted(ROOT.glob("docs/**/*.md")):
            if str(page.relative_to(ROOT)) not in self.order:
                self.problems.append(f"{page.relative_to(ROOT)} is not in docs/site/navigation.toml")
        for path in self.order:
            self.write(path, *self.rendered(path))
        for path in sorted(self.sources):
            self.write_source(path)
        for path in self.images | {"docs/site/style.css"}:
            target = self.out / ("style.css" if path.endswith(".css") else path)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, target)
        self.problems += check_links.broken(self.out)

    def rendered(self, path):
        if path == "include/stad":
            return self.header_index()
        if path == "bindings/python/stad":
            content, title, headings, problems = package.render()
            self.problems += problems
            return content, title, headings
        content, title, headings = markdown_pages.render((ROOT / path).read_text())
        return self.linked(path, content), title, headings

    def linked(self, path, content):
        """Replaces links between repository files by links between pages."""
        def follow(match):
            attribute, reference = match.groups()
            file, hash_, anchor = reference.partition("#")
            if not file or ":" in file:
                return match.group()
            target = os.path.normpath(os.path.join(os.path.dirname(path), file))
            if target.endswith(IMAGES) and (ROOT / target).is_file():
                self.images.add(target)
            elif (ROOT / target).is_file():
                if target not in self.order:
                    self.sources.add(target)
            elif target not in GENERATED:
                self.problems.append(f"{path}: {reference} is not a file of the repository")
                return match.group()
            return f'{attribute}="{from_to(path, target)}{hash_}{anchor}"'
        return re.sub(r'(href|src|srcset)="([^"]*)"', follow, content)

    def header_index(self):
        """Public names with the first sentence of their documentation, by header."""
        shown = ["<h1>C++ API</h1>\n<p>The public headers; each links to its source. Programs that adapt link "
                 "<code>stad::stad</code> (<code>find_package(stad)</code>) or use <code>pkg-config stad</code>; for "
                 "headers of <code>eval/</code>, "
                 "<code>stad::eval</code> or <code>pkg-config stad-eval</code>.</p>\n"]
        headings = []
        for path in sorted({symbol.path for symbol in self.symbols}):
            name = path.removeprefix("include/stad/")
            anchor = markdown_pages.slug(name)
            headings.append((anchor, name))
            to = from_to("include/stad", path)
            shown.append(f'<h2 id="{anchor}"><a href="{to}">{name}</a></h2>\n<dl class="names">\n')
            for symbol in (symbol for symbol in self.symbols if symbol.path == path):
                if not symbol.brief:
                    self.problems.append(f"{path}:{symbol.line}: {symbol.name} has no comment")
                shown.append(f'<dt><a href="{to}#{markdown_pages.slug(symbol.name)}"><code>{symbol.name}</code></a></dt>'
                             f"<dd>{html.escape(symbol.brief)}</dd>\n")
            shown.append("</dl>\n")
        return "".join(shown), "C++ API", headings

    def write_source(self, path):
        code = code_pages.highlighted(path, (ROOT / path).read_text(), self.declared, lambda to: from_to(path, to))
        self.write(path, f"<h1><code>{html.escape(path)}</code></h1>\n{code}", path, [], "source")

    def write(self, path, content, title, headings, kind="text"):
        contents = "".join(f'<li><a href="#{anchor}">{text}</a></li>' for anchor, text in headings)
        target = self.out / page_path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(self.template.substitute(
            kind=kind,
            title=title if title == "stad" else f"{title} - stad",
            root="../" * page_path(path).count("/"),
            navigation=self.navigation(path),
            content=content,
            steps=self.steps(path),
            contents=f'<aside><h2>On this page</h2><ul>{contents}</ul></aside>' if len(headings) > 1 else ""))

    def navigation(self, path):
        """List of all pages with the current one marked; for a source file, the page that lists it is marked."""
        at = next((page for start, page in LISTED if path.startswith(start) and path not in self.order), path)
        shown = []
        for section in self.sections:
            items = "".join(
                f'<li><a href="{from_to(path, page)}"{" aria-current=page" if page == at else ""}>{title}</a></li>'
                for title, page in section["pages"])
            here = any(page == at for _, page in section["pages"])
            is_open = " open" if here or not section.get("folded") else ""
            shown.append(f'<details{is_open}><summary>{section["title"]}</summary><ul>{items}</ul></details>')
        return "\n".join(shown)

    def steps(self, path):
        """Links to the previous and the next page."""
        if path not in self.order:
            return ""
        here = self.order.index(path)
        before, after = self.order[max(here - 1, 0):here], self.order[here + 1:here + 2]
        return "".join(f'<a href="{from_to(path, page)}">{mark}</a>' for page, mark in
                       [(page, f"&larr; {self.titles[page]}") for page in before] +
                       [(page, f"{self.titles[page]} &rarr;") for page in after])


def main():
    if not shutil.which("doxygen"):
        sys.stderr.write("SKIPPED: doxygen is missing; run scripts/install-packages docs\n")
        return 77
    if not importlib.util.find_spec("stad"):
        sys.stderr.write("The Python package stad is not on PYTHONPATH; run make docs, which builds it\n")
        return 2
    out = pathlib.Path(sys.argv[1]).resolve()
    shutil.rmtree(out, ignore_errors=True)
    site = Site(out)
    site.build()
    print("\n".join(site.problems), file=sys.stderr, end="\n" if site.problems else "")
    print(f"{len(list(out.rglob('*.html')))} pages, {len(site.problems)} problems: {sys.argv[1]}/index.html")
    return bool(site.problems)


if __name__ == "__main__":
    sys.exit(main())
