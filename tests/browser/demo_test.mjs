import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {after, before, test} from "node:test";

import {openReport, startBrowser} from "./browser.mjs";
import {chartNamed, checkFitsPhone, checkReport} from "./check_report.mjs";

const folder = mkdtempSync(join(tmpdir(), "stad-demo-"));
let browser, page;

before(async () => {
  execFileSync(process.env.STAD_COMMAND, ["demo", "--out", join(folder, "demo.html")]);
  browser = await startBrowser();
  page = await openReport(browser, join(folder, "demo.html"));
});
after(async () => {
  await browser?.close();
  rmSync(folder, {recursive: true});
});

test("the page of stad demo draws its sixteen charts", async () => {
  await checkReport(page);
  assert.equal(await page.locator("svg.canvas").count(), 16);
  assert.equal(await page.locator("nav").count(), 0);
});

test("pointing at it names the methods and their accuracies", async () => {
  const chart = chartNamed(page, "recurring drift").first();
  await chart.locator("svg.canvas").hover();
  const rows = await chart.locator(".tip tr").evaluateAll((nodes) => nodes.map((node) => node.textContent));
  assert.equal(rows.length, 6);
  assert.match(rows.join(), /stad-gauss\d+\.\d/);
});

test("it fits a phone", async () => {
  await checkFitsPhone(page);
  await checkReport(page);
});
