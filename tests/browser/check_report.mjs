// Checks that hold for every report.
import assert from "node:assert/strict";

// Runs in the page: the size of everything drawn in each chart.
const drawnSizes = () => [...document.querySelectorAll("svg.canvas")].map((svg) => ({
  chart: svg.getAttribute("aria-label"),
  empty: svg.classList.contains("empty"),
  width: svg.getBoundingClientRect().width,
  shapes: [...svg.querySelectorAll(".series path")].map((path) => {
    const box = path.getBoundingClientRect();
    return {d: path.getAttribute("d"), size: Math.max(box.width, box.height)};
  }),
}));

export const checkReport = async (page, {emptyCharts = 0} = {}) => {
  assert.deepEqual(page.errors, [], "errors of the page");
  assert.deepEqual(page.foreignRequests, [], "requests that left the page");
  assert.equal(await page.locator("h1").count(), 1);
  assert.ok(await page.locator("section").count() > 0, "a report has sections");
  const charts = await page.evaluate(drawnSizes);
  assert.equal(charts.length, await page.locator("figure").count(), "a canvas for every chart");
  assert.equal(charts.filter((chart) => chart.empty).length, emptyCharts, "charts without figures");
  for (const {chart, width, shapes} of charts.filter((one) => !one.empty)) {
    assert.ok(width > 100, `${chart} is ${width} wide`);
    assert.ok(shapes.length > 0, `${chart} draws nothing`);
    for (const {d, size} of shapes) {
      assert.ok(size > 0, `${chart} draws a shape of no size: ${d}`);
      assert.doesNotMatch(d, /NaN|Infinity|undefined/, chart);
    }
  }
};

export const checkFitsPhone = async (page) => {
  await page.setViewportSize({width: 390, height: 844});
  await page.waitForFunction(() =>
    [...document.querySelectorAll("svg.canvas")].every((svg) => svg.viewBox.baseVal.width < 390));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, "the page scrolls sideways");
};

// The figure with that title.
export const chartNamed = (page, title) =>
  page.locator("figure").filter({has: page.locator("figcaption", {hasText: new RegExp(`^${title}$`, "i")})});
