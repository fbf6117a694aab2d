import assert from "node:assert/strict";
import {test} from "node:test";

import {checkReport} from "./check_report.mjs";
import {report} from "./fixture.mjs";
import {fixturePage, styleOf, textsOf} from "./fixture_page.mjs";

const fixture = fixturePage();

test("every chart is drawn, nothing is fetched and nothing fails", () => checkReport(fixture.page, {emptyCharts: 1}));

test("text stays text", async () => {
  const {page} = fixture;
  assert.equal(await page.title(), report.title);
  assert.equal(await page.locator("h1").textContent(), report.title);
  assert.equal(await page.locator("h1 b").count(), 0);
});

test("a long report begins with its contents, and every entry leads to its section", async () => {
  const {page} = fixture;
  assert.deepEqual(await textsOf(page.locator("nav a")), report.sections.map((section) => section.title));
  const targets = await page.locator("nav a").evaluateAll((links) =>
    links.map((link) => document.getElementById(link.getAttribute("href").slice(1))?.textContent));
  assert.deepEqual(targets, report.sections.map((section) => section.title));
  const ids = await page.locator("h2").evaluateAll((nodes) => nodes.map((node) => node.id));
  assert.equal(new Set(ids).size, ids.length);
});

test("the best cell is bold, the second underlined, and a note stands below", async () => {
  const {page} = fixture;
  const table = page.locator("table").first();
  assert.equal(await styleOf(table.locator(".best > span").first(), "fontWeight"), "700");
  assert.match(await styleOf(table.locator(".second > span").first(), "textDecorationLine"), /underline/);
  assert.equal(await styleOf(table.locator("td:not(.best) > span").first(), "fontWeight"), "400");
  const cell = table.locator(".best").first();
  const above = await cell.locator("span").boundingBox(), below = await cell.locator("small").boundingBox();
  assert.ok(below.y >= above.y + above.height - 4);
});

test("groups stand above their columns and headings span the table", async () => {
  const {page} = fixture;
  const table = page.locator("table").first();
  assert.deepEqual(await textsOf(table.locator(".groups th")), ["Yearbook", "EVIS", "FMoW-Time"]);
  const group = await table.locator(".groups th").nth(1).boundingBox();
  const column = await table.locator("thead tr:last-child th").nth(5).boundingBox();
  assert.ok(Math.abs(group.x - column.x) < 1);
  assert.equal(await table.locator(".heading th").first().getAttribute("colspan"), "13");
});

test("a notice is framed", async () => {
  assert.notEqual(await styleOf(fixture.page.locator(".notice"), "borderLeftWidth"), "0px");
});
