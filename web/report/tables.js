const kWide = 9;  // more columns than this are set smaller on paper
const kProse = 24;  // longer texts wrap

const readCell = (cell) => {
  if (cell === null || cell === undefined) return {text: "\u2013", tone: "faint"};
  return typeof cell === "object" ? cell : {text: cell};
};

const drawCell = (cell, tag, attributes) => {
  const {text = "", tone, rank, note, note_tone: noteTone} = readCell(cell);
  const classes = [attributes.class, tone, rank === 1 && "best", rank === 2 && "second"].filter(Boolean).join(" ");
  const node = element(tag, {...attributes, class: classes}, element("span", {}, String(text)));
  if (note) node.append(element("small", {class: noteTone}, note));
  return node;
};

// Text is aligned left and wraps; figures are aligned right.
const kindOfColumn = (rows, column) => {
  const cells = rows.filter(Array.isArray).map((row) => String(readCell(row[column]).text ?? ""));
  const texts = cells.filter((text) => /\w/.test(text));
  if (!texts.length || texts.some((text) => /^[-+\u2212\u00b1<>~]?\s?[\d.]/.test(text))) return "";
  return texts.some((text) => text.length > kProse) ? "words prose" : "words";
};

// If the spans are fewer than the columns, the first columns, which name the rows, have no group.
const readGroups = (table) => {
  const groups = table.groups || [];
  const missing = table.columns.length - groups.reduce((sum, group) => sum + group.span, 0);
  return groups.length && missing > 0 ? [{title: "", span: missing}, ...groups] : groups;
};

const groupStarts = (groups) => {
  let column = 0;
  return new Set(groups.map((group) => (column += group.span) - group.span).filter((start) => start > 0));
};

const drawGroups = (groups) => element("tr", {class: "groups"}, ...groups.map(({title, span}, index) => {
  const attributes = {colspan: span, class: index ? "start" : ""};
  if (!title) return element("td", attributes);
  return element("th", {...attributes, scope: "colgroup"}, element("span", {}, title));
}));

const drawHeading = (text, columns) =>
  element("tr", {class: "heading"}, element("th", {colspan: columns, scope: "rowgroup"}, element("span", {}, text)));

const drawTable = (table) => {
  const groups = readGroups(table), starts = groupStarts(groups);
  const classes = table.columns.map((_, column) =>
    [column && kindOfColumn(table.rows, column), starts.has(column) && "start"].filter(Boolean).join(" "));
  const node = element("table", {class: table.columns.length > kWide ? "wide" : ""});
  if (table.caption) node.append(element("caption", {}, element("span", {}, table.caption)));
  const head = element("thead");
  if (groups.length) head.append(drawGroups(groups));
  head.append(element("tr", {}, ...table.columns.map((text, column) =>
    element("th", {scope: "col", class: classes[column]}, text))));
  const rows = table.rows.map((row) => Array.isArray(row)
    ? element("tr", {}, ...row.map((cell, column) =>
        drawCell(cell, column ? "td" : "th", {class: classes[column], scope: column ? "" : "row"})))
    : drawHeading(row.heading, table.columns.length));
  node.append(head, element("tbody", {}, ...rows));
  return element("div", {class: "scroll"}, node);
};
