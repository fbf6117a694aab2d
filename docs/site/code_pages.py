"""Source files as pages, with syntax colours and links from public names to their declarations."""

import html

import pygments.lexers
import pygments.util
from pygments.token import STANDARD_TYPES, Comment, Name

from markdown_pages import slug


def _token_class(kind):
    while kind not in STANDARD_TYPES:
        kind = kind.parent
    return STANDARD_TYPES[kind]


def _lexer(path, text):
    try:
        return pygments.lexers.get_lexer_for_filename(path, text, stripnl=False)
    except pygments.util.ClassNotFound:  # unknown language
        return pygments.lexers.TextLexer(stripnl=False)


def highlighted(path, text, symbols, link):
    """The text as HTML. `symbols` maps names to (path, line) of their declaration, `link` maps a path to a URL."""
    headers = {header for header, _ in symbols.values()}
    written = []
    line = 1
    for kind, value in _lexer(path, text).get_tokens(text):
        shown = html.escape(value)
        declaration = symbols.get(value) if kind in Name else None
        if declaration == (path, line):
            shown = f'<b id="{slug(value)}">{shown}</b>'
        elif declaration:
            shown = f'<a href="{link(declaration[0])}#{slug(value)}">{shown}</a>'
        elif kind is Comment.PreprocFile and value.startswith("<stad/") and f"include/{value[1:-1]}" in headers:
            shown = f'<a href="{link(f"include/{value[1:-1]}")}">{shown}</a>'
        name = _token_class(kind)
        written.append(f'<span class="{name}">{shown}</span>' if name else shown)
        line += value.count("\n")
    return f'<div class="code"><pre>{"".join(written)}</pre></div>'
