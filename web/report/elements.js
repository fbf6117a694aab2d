// Creates nodes and formats numbers. Text is always set as text, never as markup.

const kSvg = "http:" + "//www.w3.org/2000/svg";  // a name, not an address: nothing is fetched

const withAttributes = (node, attributes) => {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== "") node.setAttribute(name, value);
  return node;
};

const element = (tag, attributes = {}, ...children) => {
  const node = withAttributes(document.createElement(tag), attributes);
  node.append(...children);
  return node;
};

const shape = (tag, attributes = {}, ...children) => {
  const node = withAttributes(document.createElementNS(kSvg, tag), attributes);
  node.append(...children);
  return node;
};

const minus = (text) => text.replace("-", "\u2212");

// All digits of the number except rounding noise in its last bits.
const label = (value) => minus(String(Number(value.toPrecision(6))));

const rounded = (value, digits) => minus(value.toFixed(digits));

const figure = (point, digits) =>
  rounded(point.y, digits) + (point.spread === null ? "" : ` \u00b1 ${rounded(point.spread, digits)}`);
