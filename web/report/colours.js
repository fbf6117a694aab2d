// A name has the same colour in every chart of the page. Names in one chart have different colours as long as there are
// enough colours. References are grey and differ in their dashes.

const kColours = 10;  // --series-1 to --series-10; --series-0 is the grey
const kDashes = ["5 4", "2 3", "9 3 2 3"];

const palette = new Map();     // name -> colour
const references = new Map();  // name -> dashes

// Every name with the other names of its charts.
const meetings = (charts) => {
  const met = new Map();
  for (const chart of charts) {
    const own = chart.series.filter((series) => series.like === undefined && !references.has(series.name));
    const names = own.map((series) => series.name);
    for (const name of names) met.set(name, [...(met.get(name) || []), ...names]);
  }
  return met;
};

const nameColours = (charts) => {
  for (const series of charts.flatMap((chart) => chart.series))
    if (series.reference && !references.has(series.name))
      references.set(series.name, kDashes[references.size % kDashes.length]);
  const all = Array.from({length: kColours}, (_, index) => index + 1);
  const uses = new Array(kColours + 1).fill(0);
  for (const [name, others] of meetings(charts)) {
    const taken = new Set(others.map((other) => palette.get(other)));
    const free = all.filter((colour) => !taken.has(colour));
    const chosen = (free.length ? free : all).reduce((best, colour) => uses[colour] < uses[best] ? colour : best);
    palette.set(name, chosen);
    ++uses[chosen];
  }
  for (const series of charts.flatMap((chart) => chart.series))
    if (series.like !== undefined) palette.set(series.name, palette.get(series.like));
};

const colourOf = (name) => `var(--series-${palette.get(name) || 0})`;
const dashesOf = (name) => references.get(name);
