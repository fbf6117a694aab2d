import assert from "node:assert/strict";
import {test} from "node:test";

import {chartNamed} from "./check_report.mjs";
import {report} from "./fixture.mjs";
import {fixturePage, styleOf, textsOf} from "./fixture_page.mjs";

const fixture = fixturePage();

test("charts of the same series share a legend, others have their own", async () => {
  const {page} = fixture;
  const section = (title) => page.locator("section").filter({has: page.locator("h2", {hasText: title})});
  assert.equal(await section("Accuracy over time").locator(".legend").count(), 1);
  assert.equal(await section("Accuracy over time").locator("figure .legend").count(), 0);
  assert.equal(await section("Corruptions").locator("figure .legend").count(), 2);
});

// Runs in the page: every drawn series and every entry of a legend, chart by chart, with the colour of its shape.
const coloursByChart = (frames) => frames.map((frame) =>
  [...frame.querySelectorAll("[data-name]")].filter((node) => node.querySelector("path")).map((node) => {
    const path = [...node.querySelectorAll("path")].pop(), {fill, stroke} = getComputedStyle(path);
    return {name: node.dataset.name, series: node.matches("g"), colour: fill === "none" ? stroke : fill};
  }));

test("a colour follows its name over the whole page, and names that meet differ", async () => {
  const {page} = fixture;
  const charts = await page.locator("figure, section > .legend").evaluateAll(coloursByChart);
  const colours = new Map();
  for (const {name, colour} of charts.flat()) {
    assert.equal(colours.get(name) ?? colour, colour, name);
    colours.set(name, colour);
  }
  assert.equal(colours.get("source"), colours.get("oracle"), "references are grey");
  const grey = colours.get("source");
  for (const chart of charts) {
    const seen = chart.filter(({series, colour}) => series && colour !== grey);
    assert.equal(new Set(seen.map(({colour}) => colour)).size, seen.length, seen.map(({name}) => name).join());
  }
});

test("references are dashed, each in its own way", async () => {
  const {page} = fixture;
  const chart = chartNamed(page, "accuracy by batch size");
  const dashes = (name) => styleOf(chart.locator(`g[data-name="${name}"] .line`), "strokeDasharray");
  assert.notEqual(await dashes("source"), "none");
  assert.notEqual(await dashes("source"), await dashes("oracle"));
  assert.equal(await dashes("tent"), "none");
});

test("a spread is a translucent band in the colour of its line", async () => {
  const {page} = fixture;
  const chart = chartNamed(page, "accuracy by batch size");
  assert.equal(await chart.locator(".band").count(), 2);
  const group = chart.locator('g[data-name="tent"]');
  assert.equal(await styleOf(group.locator(".band"), "fill"), await styleOf(group.locator(".line"), "stroke"));
  assert.ok(await styleOf(group.locator(".band"), "fillOpacity") < 0.3);
});

test("a log axis counts in powers of two", async () => {
  const {page} = fixture;
  const chart = chartNamed(page, "accuracy by batch size");
  const texts = await textsOf(chart.locator("svg.canvas text[text-anchor=middle]:not(.title)"));
  assert.deepEqual(texts, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048].map(String));
});

test("names on the x axis lie flat where they fit and lean where they do not", async () => {
  const {page} = fixture;
  const texts = async (title, place) => textsOf(chartNamed(page, title).locator(`svg.canvas ${place}`));
  assert.deepEqual(await texts("error by severity", "text[text-anchor=middle]:not(.title)"), ["mild", "fair", "harsh"]);
  assert.ok((await texts("accuracy by corruption", "text[transform][text-anchor=end]")).includes("gaussian noise"));
});

test("a map holds a thousand marks and has one scale for both directions", async () => {
  const {page} = fixture;
  const chart = chartNamed(page, "before the drift");
  const dots = await chart.locator("g.series .dot").evaluateAll((paths) => paths.map((path) => path.getAttribute("d")));
  assert.equal(dots.join("").split("M").length - 1, 1000);
  assert.equal(await chart.locator("svg.canvas text").count(), 0);
  const d = await chart.locator('g[data-name="prototypes"] .diamond').getAttribute("d");
  const places = [...d.matchAll(/M([\d.]+) ([\d.]+)/g)].map((match) => [Number(match[1]), Number(match[2])]);
  const data = report.sections[6].charts[0].series.at(-1).points;
  const unit = (axis) => Math.abs((places[0][axis] - places[1][axis]) / (data[0][axis] - data[1][axis]));
  assert.ok(Math.abs(unit(0) / unit(1) - 1) < 0.05, `${unit(0)} and ${unit(1)}`);  // places have one decimal
});
