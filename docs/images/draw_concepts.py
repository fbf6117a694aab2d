#!/usr/bin/python3
"""Draws the figures of docs/concepts.md into this folder, as SVG for light and dark colour schemes."""

import math
import pathlib
import random

STYLE = """
svg { --ink: #22262b; --soft: #5c6670; --line: #b9bfc5; --one: #0072b2; --two: #d55e00; --box: #f4f4f0; }
@media (prefers-color-scheme: dark) {
  svg { --ink: #d9dde2; --soft: #9aa4ae; --line: #59626b; --one: #56b4e9; --two: #f0803c; --box: #1e2227; }
}
text { font: 15px system-ui, "DejaVu Sans", sans-serif; fill: var(--ink); }
.soft { fill: var(--soft); font-size: 13px; }
.middle { text-anchor: middle; }
.one { fill: var(--one); } .two { fill: var(--two); }
.wrong { fill: none; stroke: var(--ink); stroke-width: 1.2; }
.line { stroke: var(--line); stroke-width: 1.5; fill: none; }
.edge { stroke: var(--ink); stroke-width: 1.8; fill: none; }
.old { stroke-dasharray: 5 4; }
.arrow-one { stroke: var(--one); stroke-width: 3; } .arrow-two { stroke: var(--two); stroke-width: 3; }
.box { fill: var(--box); stroke: var(--line); stroke-width: 1.5; }
"""
HEADS = "".join(
    f'<marker id="{name}" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="{size}" markerHeight="{size}" orient="auto">'
    f'<path d="M0 0 10 5 0 10z" style="fill: var(--{name})"/></marker>'
    for name, size in (("one", 4), ("two", 4), ("ink", 6)))


def text(x, y, words, kind="middle"):
    return f'<text x="{x:.0f}" y="{y:.0f}" class="{kind}">{words}</text>'


def arrow(x1, y1, x2, y2, kind, head):
    return f'<path d="M{x1:.1f} {y1:.1f} L{x2:.1f} {y2:.1f}" class="{kind}" marker-end="url(#{head})"/>'


def box(x, y, width, words, below=""):
    lines = text(x + width / 2, y + (32 if not below else 24), words)
    lines += text(x + width / 2, y + 43, below, "soft middle") if below else ""
    return f'<rect x="{x}" y="{y}" width="{width}" height="54" rx="7" class="box"/>{lines}'


def dots(x, y, angle, turned):
    """Two classes around (x, y), rotated by `angle`, with rings on the wrong side of a boundary rotated by `turned`."""
    draw, shapes = random.Random(4), []
    for kind, side in (("one", -1), ("two", 1)):
        for _ in range(38):
            along, across = side * 58 + draw.gauss(0, 22), draw.gauss(0, 34)
            dx = along * math.cos(angle) - across * math.sin(angle)
            dy = along * math.sin(angle) + across * math.cos(angle)
            shapes.append(f'<circle cx="{x + dx:.1f}" cy="{y + dy:.1f}" r="4" class="{kind}"/>')
            if (dx * math.cos(turned) + dy * math.sin(turned)) * side < 0:
                shapes.append(f'<circle cx="{x + dx:.1f}" cy="{y + dy:.1f}" r="7.5" class="wrong"/>')
    return "".join(shapes)


def drift():
    parts = []
    for x, angle, turned, title in ((125, 0, 0, "at training time"), (375, 0.95, 0, "a year later"), (625, 0.95, 0.95, "adapted")):
        dx, dy = 120 * math.sin(turned), 120 * math.cos(turned)
        parts += [dots(x, 165, angle, turned), text(x, 30, title),
                  f'<path d="M{x + dx:.1f} {165 - dy:.1f} L{x - dx:.1f} {165 + dy:.1f}" class="edge"/>']
    parts.append(text(375, 318, "ringed: wrong side of the boundary", "soft middle"))
    return 750, 330, parts


def sphere():
    draw = random.Random(2)
    parts = []
    for x, turn, title in ((190, 0.0, "prototypes of the source"), (560, 0.6, "adapted prototypes")):
        parts += [f'<circle cx="{x}" cy="185" r="130" class="line"/>', text(x, 30, title)]
        for kind, home in (("one", -2.3), ("two", -0.9)):
            for _ in range(26):
                at = home + turn + draw.gauss(0, 0.2)
                parts.append(f'<circle cx="{x + 130 * math.cos(at):.1f}" cy="{185 + 130 * math.sin(at):.1f}" r="4" class="{kind}"/>')
            if turn:
                parts.append(f'<path d="M{x} 185 L{x + 118 * math.cos(home):.1f} {185 + 118 * math.sin(home):.1f}" class="line old"/>')
            parts.append(arrow(x, 185, x + 118 * math.cos(home + turn), 185 + 118 * math.sin(home + turn), f"arrow-{kind}", kind))
    parts.append(text(560, 345, "dashed: prototypes of the source", "soft middle"))
    return 750, 360, parts


def window():
    parts = ['<rect x="133" y="20" width="555" height="210" rx="10" class="line old"/>',
             text(410, 252, "the window: the current batch and the three before it", "soft middle")]
    for number, name in enumerate(["t - 4", "t - 3", "t - 2", "t - 1", "t"]):
        x = 60 + number * 140
        parts += [box(x - 45, 45, 90, "W", name), box(x - 45, 155, 90, "features", name), arrow(x, 101, x, 151, "edge", "ink")]
        parts.append(arrow(x + 47, 72, x + 92, 72, "edge", "ink") if number < 4 else "")
    parts += [text(60, 252, "fixed: the past", "soft middle")]
    return 750, 265, parts


for picture in (drift, sphere, window):
    width, height, parts = picture()
    shapes = "\n".join(part for part in parts if part)
    pathlib.Path(__file__).with_name(f"{picture.__name__}.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">\n'
        f"<style>{STYLE}</style>\n<defs>{HEADS}</defs>\n{shapes}\n</svg>\n")
