import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {after, before, test} from "node:test";

import {openReport, startBrowser} from "./browser.mjs";
import {chartNamed, checkFitsPhone, checkReport} from "./check_report.mjs";

// Every exhibit of a report, on simulated streams.
const kExperiment = `
title = "Everything <b>at once</b>"
paper = "Table 0"
report = ["accuracy", "time-steps", "over-time", "sweep", "fidelity", "health", "runtime", "projection"]

[[streams]]
name = "simulated"
files = ["network0.npz", "network1.npz"]
[[streams]]
name = "elsewhere"
files = ["absent.npz"]
about = "It cannot be had."

[[settings]]
name = "mixed"
batch_size = 50
[[settings]]
name = "sorted"
order = "sorted"
batch_size = 50
seeds = [0, 1, 2]

[[methods]]
name = "source"
title = "Source"
[[methods]]
title = "BN"
group = "not run here"
[[methods]]
name = "t3a"
title = "T3A"
group = "run here"
grid = { supports = [5, "all"] }
[[methods]]
name = "stad-vmf"
title = "STAD"
group = "run here"
[[methods]]
name = "stad-vmf"
title = "STAD, swept"
group = "run here"
sweep = { kappa_ems = [10, 100, 1000] }

[projection]
stream = "simulated"
setting = "mixed"
method = "STAD"
time = 3
points = 150

[paper_figures.simulated.mixed]
Source = [80.5, 1.5]
BN = 70
STAD = 85.5
"STAD, swept" = { "kappa_ems = 10" = 12.34 }
`;
const kSizes = `
report = ["batch-sizes"]
[[streams]]
name = "simulated"
files = ["network0.npz"]
[[settings]]
name = "mixed"
batch_size = [1, 2, 4, 8, 16, 32, 64, 128]
[[methods]]
name = "source"
[[methods]]
name = "stad-vmf"
`;

const kGains = `
report = ["gains"]
[[streams]]
name = "drawn"
simulated = { drift = "rapid", steps = 8, samples = 100, classes = 4 }
seeds = [0, 1, 2]
[[settings]]
name = "mixed"
batch_size = [1, 16, 64]
[[methods]]
name = "source"
[[methods]]
name = "stad-safe"
title = "STAD-safe"
[[methods]]
name = "stad-vmf"
title = "STAD"
grid = { kappa_ems = [10, 1000] }
`;

const folder = mkdtempSync(join(tmpdir(), "stad-bench-"));
const stad = (...words) => execFileSync(process.env.STAD_COMMAND, words, {cwd: folder});
let browser, page;

before(async () => {
  for (const seed of ["0", "1"])
    stad("simulate", "--out", `network${seed}.npz`, "--seed", seed, "--steps", "8", "--samples", "200", "--classes", "4");
  writeFileSync(join(folder, "everything.toml"), kExperiment);
  writeFileSync(join(folder, "sizes.toml"), kSizes);
  writeFileSync(join(folder, "gains.toml"), kGains);
  stad("bench", "everything.toml", "sizes.toml", "gains.toml", "--skip-missing", "--out", "out");
  browser = await startBrowser();
  page = await openReport(browser, join(folder, "out", "report.html"));
});
after(async () => {
  await browser?.close();
  rmSync(folder, {recursive: true});
});

test("every chart of a bench report is drawn", async () => {
  await checkReport(page);
  const titles = await page.locator("figcaption").allTextContents();
  for (const title of [/simulated, mixed$/, /simulated, sorted$/, /: kappa_ems$/, /true class centres/, /dispersion of/,
    /against dispersion/, /: accuracy and mean confidence$/, /: answers that differ from the source$/, /samples and the prototypes of STAD/])
    assert.ok(titles.some((text) => title.test(text)), `${title} among ${titles}`);
});

test("titles are text, never markup", async () => {
  assert.match(await page.locator("h2").first().textContent(), /Everything <b>at once<\/b>/);
});

test("the table stands in the paper's shape with its figures beside ours", async () => {
  const table = page.locator("table").first();
  assert.deepEqual((await table.locator("thead tr").first().locator("th").allTextContents()).filter(Boolean),
    ["simulated, mixed", "simulated, sorted"]);
  const row = async (title) => (await table.locator("tbody tr", {hasText: title}).first().allTextContents()).join();
  assert.match(await row("Source"), /80\.50 ± 1\.50/);
  assert.match(await row("BN"), /70\.00/);
  assert.match(await row("STAD"), /85\.50/);
  assert.ok(await table.locator(".better, .worse").count() > 0);
});

test("gains are summed up, then told row by row", async () => {
  const section = page.locator("section", {has: page.locator("h2", {hasText: /^gains$/})});
  assert.deepEqual(await section.locator("table").first().locator("tbody th > span").allTextContents(),
    ["STAD-safe", "STAD", "STAD", "best of these"]);
  const rows = section.locator("table").nth(1).locator("tbody tr:not(.heading)");
  assert.equal(await rows.count(), 3);
  for (const text of await rows.locator("td:nth-of-type(2)").allTextContents())
    assert.match(text, /^[+−]?\d+\.\d\dleast\s[+−]?\d+\.\d\d$/);
});

test("what is missing is said where it would stand", async () => {
  assert.match(await page.locator(".notice").first().textContent(), /absent\.npz.*It cannot be had/);
});

test("error bands and tooltips tell the deviation", async () => {
  const chart = chartNamed(page, "simulated, mixed").first();
  assert.ok(await chart.locator(".band").count() > 0);
  await chart.locator("svg.canvas").hover();
  assert.match((await chart.locator(".tip").textContent()), /STAD\d+\.\d ± \d/);
});

test("a map has the colour of a class on its samples, weight and prototype", async () => {
  const map = page.locator("figure.map");
  const fill = (name) => map.locator(`g.series[data-name="${name}"] path.mark`).first()
    .evaluate((node) => [getComputedStyle(node).fill, getComputedStyle(node).stroke].find((paint) => paint !== "none"));
  assert.equal(await fill("class 0"), await fill("prototype of class 0"));
  assert.notEqual(await fill("class 0"), await fill("class 1"));
  assert.equal(await map.locator(".legend li").count(), 4);
});

test("the page is small, holds no feature, and fits a phone", async () => {
  const path = join(folder, "out", "report.html");
  assert.ok(statSync(path).size < 2e6);
  assert.ok(!readFileSync(path, "utf8").includes("features\""));
  await checkFitsPhone(page);
  await checkReport(page);
});
