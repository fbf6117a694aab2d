import assert from "node:assert/strict";
import {test} from "node:test";

import {checkFitsPhone, checkReport} from "./check_report.mjs";
import {fixturePage, styleOf} from "./fixture_page.mjs";

const fixture = fixturePage();

test("a phone shows it without scrolling sideways, and wide tables keep their first column in sight", async () => {
  const phone = await fixture.open();
  await checkFitsPhone(phone);
  await checkReport(phone, {emptyCharts: 1});
  const box = phone.locator(".scroll").first(), name = box.locator("tbody th[scope=row]").first();
  const start = (await name.boundingBox()).x;
  await box.evaluate((node) => node.scrollTo(300, 0));
  assert.equal((await name.boundingBox()).x, start);
  assert.ok(await box.evaluate((node) => node.scrollLeft) > 200);
  await phone.locator("svg.canvas").first().hover({position: {x: 200, y: 80}});
  assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth), 390, "with the tooltip");
  await phone.context().close();
});

// The contrast of two computed colours as defined by the accessibility guidelines.
const luminance = (colour) => {
  const [red, green, blue] = colour.match(/[\d.]+/g).slice(0, 3).map((value) => value / 255)
    .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (first, second) => {
  const [low, high] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

for (const scheme of ["light", "dark"])
  test(`ink and every series can be told from the ${scheme} paper`, async () => {
    const other = await fixture.open({colorScheme: scheme});
    await checkReport(other, {emptyCharts: 1});
    const paper = await styleOf(other.locator("body"), "backgroundColor");
    assert.equal(contrast(paper, "rgb(0,0,0)") < 2, scheme === "dark");
    assert.ok(contrast(paper, await styleOf(other.locator("body"), "color")) > 10);
    const panel = await styleOf(other.locator("figure").first(), "backgroundColor");
    const paths = other.locator("figure").first().locator(".line");
    const lines = await paths.evaluateAll((all) => all.map((path) => getComputedStyle(path).stroke));
    assert.equal(lines.length, 11);
    for (const line of lines) assert.ok(contrast(panel, line) >= 3, line);  // what the guidelines ask of graphics
    await other.context().close();
  });

test("paper is white whatever the screen, and shows no details", async () => {
  const paper = await fixture.open({colorScheme: "dark"});
  await paper.emulateMedia({media: "print"});
  assert.equal(await styleOf(paper.locator("body"), "backgroundColor"), "rgb(255, 255, 255)");
  assert.ok(await paper.locator("details").count() > 0);
  for (const details of await paper.locator("details").all()) assert.equal(await details.isVisible(), false);
  await paper.context().close();
});

test("charts are drawn anew for paper, and for the screen when it is done", async () => {
  const paper = await fixture.open();
  const widths = () => paper.locator("svg.canvas").evaluateAll((all) => all.map((svg) => svg.viewBox.baseVal.width));
  const onScreen = await widths();
  await paper.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.deepEqual((await widths()).slice(0, 4), [300, 300, 300, 620]);
  await checkReport(paper, {emptyCharts: 1});
  await paper.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.deepEqual(await widths(), onScreen);
  await paper.context().close();
});
