// Nodes. Text is only ever set as text, never as markup.

export const element = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
};

export const byId = (id) => document.getElementById(id);

// Colours live in the style sheet alone; a chart asks for them by name, and again when light turns to dark.
const colours = new Map();
export const colour = (name) => {
  if (!colours.has(name))
    colours.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
  return colours.get(name);
};
export const whenColoursChange = (redraw) =>
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { colours.clear(); redraw(); });
