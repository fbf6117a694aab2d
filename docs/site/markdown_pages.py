"""Markdown in the dialect of GitHub, so that the same files serve both."""

import re

import markdown


def slug(text, separator="-"):
    """The anchor GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", separator)


def render(text):
    """The page as HTML, its title, and its second-level headings as (anchor, text)."""
    reader = markdown.Markdown(
        extensions=["tables", "fenced_code", "codehilite", "toc", "sane_lists"],
        extension_configs={"toc": {"slugify": slug}, "codehilite": {"guess_lang": False, "css_class": "code"}})
    html = reader.convert(text)
    html = re.sub(r"<table>(.*?)</table>", r'<div class="wide"><table>\1</table></div>', html, flags=re.DOTALL)
    html = re.sub(r"<code>([^<\n]{1,28})</code>", r'<code class="short">\1</code>', html)  # no line break at hyphens
    top = reader.toc_tokens[0]
    return html, top["name"], [(token["id"], token["name"]) for token in top["children"]]
