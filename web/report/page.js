// Draws a report from the JSON in #data:
//   report  = {title, intro: [text], sections: [section], footer: [text]}
//   section = {title, text: [text], list: [text], notice: text, tables: [table], charts: [chart]}
//             all but title optional; notice: a framed remark, such as missing data
//   table   = {caption, groups: [{title, span}], columns: [text], rows: [row]}
//             groups: a heading row above the columns, optional; if the spans are fewer than the columns, the first columns have no group
//   row     = [cell] or {heading: text}, a line that spans the table
//   cell    = text, number, null or {text, tone: "better" | "worse" | "faint", rank: 1 | 2, note: text, note_tone: tone}
//             rank 1 is bold, rank 2 underlined; note is a smaller line below the text
//   chart   = {title, kind: "lines" | "points", x_label, y_label, x_scale: "linear" | "log", axes: bool,
//              y_digits: number, y_range: [least, most], x_names: [[x, text]], note: text, series: [series]}
//             lines, linear, axes: true and y_digits: 1 unless given; axes: false is a map, with one scale for x and y;
//             x_names: names instead of numbers on the x axis; y_digits: decimals of figures; y_range: limits
//             of bands, such as [0, 100]; note: a line below
//   series  = {name, like: name, reference: bool, mark: "dot" | "ring" | "cross" | "diamond", points: [[x, y]] or [[x, y, spread]]}
//             spread: the half width of the band around a line, or of the bar through a mark
//             like: the name of a series whose colour it shares; it is not in the legend
// A null among the coordinates is a gap.

const kContents = 4;  // a page of more sections begins with a list of them

const drawSection = ({section, charts, id}) => {
  const node = element("section", {"aria-labelledby": id}, element("h2", {id}, section.title));
  for (const text of section.text || []) node.append(element("p", {}, text));
  if (section.notice) node.append(element("p", {class: "notice", role: "note"}, section.notice));
  if (section.list) node.append(element("ul", {}, ...section.list.map((text) => element("li", {}, text))));
  for (const table of section.tables || []) node.append(drawTable(table));
  if (charts.length) node.append(...drawCharts(charts));
  return node;
};

const nameSection = (section, taken) => {
  const words = section.title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "section";
  let id = words;
  for (let number = 2; taken.has(id); ++number) id = `${words}-${number}`;
  taken.add(id);
  return id;
};

const drawContents = (sections) => element("nav", {"aria-label": "Contents"}, element("ol", {},
  ...sections.map(({section, id}) => element("li", {}, element("a", {href: `#${id}`}, section.title)))));

const drawReport = (report, main) => {
  const taken = new Set(["report", "data"]);
  const sections = (report.sections || []).map((section) =>
    ({section, charts: (section.charts || []).map(readChart), id: nameSection(section, taken)}));
  nameColours(sections.flatMap(({charts}) => charts));
  main.replaceChildren(element("header", {}, element("h1", {}, report.title),
    ...(report.intro || []).map((text) => element("p", {}, text))));
  if (sections.length > kContents) main.append(drawContents(sections));
  main.append(...sections.map(drawSection));
  const footer = (report.footer || []).map((text) => element("div", {}, text));
  if (footer.length) main.append(element("footer", {}, ...footer));
};

drawReport(JSON.parse(document.getElementById("data").textContent), document.getElementById("report"));
