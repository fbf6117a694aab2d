"""The Python package as its docstrings tell it."""

import html
import inspect
import re


def _said_by_compiler(thing):
    """The signature that a compiled function begins its docstring with, and the words after it."""
    first, _, rest = (inspect.getdoc(thing) or "").partition("\n")
    signature = re.sub(r"self: [\w.]+(, )?|stad\._stad\.", "", first[first.find("("):])
    return signature.replace(": object", ""), rest.strip()


def _told(thing):
    """Signature and words of a function or class."""
    if isinstance(thing, property):
        return "", inspect.getdoc(thing) or ""
    try:
        signature = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return _said_by_compiler(thing)
    return re.sub(r"\(self(, )?", "(", signature), inspect.getdoc(thing) or ""


def _entry(name, thing, anchor, level):
    signature, words = _told(thing)
    words = re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(words))
    shown = f'<h{level} id="{anchor}"><code>{html.escape(name)}</code></h{level}>\n'
    if signature:
        shown += f'<div class="code"><pre>{html.escape(name + signature)}</pre></div>\n'
    return shown + f'<pre class="words">{words}</pre>\n'


def _members(made):
    """Public methods and properties by name, those of bases too."""
    found = {}
    for base in inspect.getmro(made)[:-1]:
        for name, thing in vars(base).items():
            if not name.startswith("_") and (callable(thing) or isinstance(thing, property)):
                found.setdefault(name, thing)
    return found


def render():
    """The page's HTML, its title, its headings, and the public names that have no docstring."""
    import stad  # here, so that the rest can be loaded without

    shown = [f"<h1>Python API</h1>\n<p>{html.escape(inspect.getdoc(stad).splitlines()[0])}</p>\n"]
    headings, problems = [], []
    for name in stad.__all__:
        thing = getattr(stad, name)
        if not callable(thing):
            continue
        headings.append((name, name))
        shown.append(_entry(name, thing, name, 2))
        if not inspect.isbuiltin(thing) and not inspect.getdoc(thing):
            problems.append(f"stad.{name} has no docstring")
        if inspect.isclass(thing) and (thing is stad.Adapter or not issubclass(thing, stad.Adapter)):
            shown += [_entry(member, part, f"{name}.{member}", 3) for member, part in _members(thing).items()]
    return "".join(shown), "Python API", headings, problems
