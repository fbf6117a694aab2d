"""The Python API page, from signatures and docstrings."""

import html
import inspect
import re


def _parse_pybind11_docstring(thing):
    """Signature and text of a compiled function, whose docstring starts with its signature."""
    first, _, rest = (inspect.getdoc(thing) or "").partition("\n")
    signature = re.sub(r"self: [\w.]+(, )?|stad\._stad\.", "", first[first.find("("):])
    return signature.replace(": object", ""), rest.strip()


def _signature_and_text(thing):
    """Signature and docstring of a function or class."""
    if isinstance(thing, property):
        return "", inspect.getdoc(thing) or ""
    try:
        signature = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return _parse_pybind11_docstring(thing)
    return re.sub(r"\(self(, )?", "(", signature), inspect.getdoc(thing) or ""


def _entry(name, thing, anchor, level):
    signature, text = _signature_and_text(thing)
    text = re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(text))
    shown = f'<h{level} id="{anchor}"><code>{html.escape(name)}</code></h{level}>\n'
    if signature:
        shown += f'<div class="code"><pre>{html.escape(name + signature)}</pre></div>\n'
    return shown + f'<pre class="words">{text}</pre>\n'


def _members(made):
    """Public methods and properties by name, including inherited ones."""
    found = {}
    for base in inspect.getmro(made)[:-1]:
        for name, thing in vars(base).items():
            if not name.startswith("_") and (callable(thing) or isinstance(thing, property)):
                found.setdefault(name, thing)
    return found


def render():
    """HTML, title and headings of the page, and problems: public names without a docstring."""
    import stad  # imported here, so that this module loads without it

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
