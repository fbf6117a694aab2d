// node take.mjs COMMAND SERVER OUT [DATA]: pictures of the pages that the programs show, for README and docs, and
// images.json, by which tests/browser/images_test.mjs finds out that a picture is no longer current. With DATA, the
// folder of real data, also the report of the Yearbook experiment, which takes some ten minutes. Run it in the folder
// with the packages of tests/browser (scripts/docs-images does).
import {execFileSync, spawn} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

import {openReport, startBrowser} from "../../tests/browser/browser.mjs";
import {demoFigures, digestOf} from "./current.mjs";

const [command, server, out, data] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "stad-images-"));
const browser = await startBrowser();

const takeDemo = async () => {
  execFileSync(command, ["demo", "--out", join(folder, "demo.html")], {cwd: folder});
  const page = await openReport(browser, join(folder, "demo.html"), {viewport: {width: 1180, height: 1110}});
  await page.screenshot({path: join(out, "demo.png")});
  return demoFigures(page);
};

const takeReport = async () => {
  execFileSync(command, ["bench", "experiments/yearbook.toml", "--data", data, "--out", join(folder, "bench")],
    {stdio: "inherit", cwd: process.env.STAD_SOURCE});
  const page = await openReport(browser, join(folder, "bench", "report.html"), {viewport: {width: 1280, height: 900}});
  const exhibit = page.locator("section").filter({has: page.locator("figure")}).first();
  await exhibit.screenshot({path: join(out, "report.png")});
};

const addressOf = (child) => new Promise((resolve, reject) => {
  let log = "";
  child.stderr.on("data", (text) => {
    log += text;
    const found = /"address":"([^"]*)"/.exec(log);
    if (found) resolve(found[1]);
  });
  child.on("exit", () => reject(new Error(log)));
});

const takeConsole = async () => {
  const child = spawn(server, ["--listen", "127.0.0.1:0"], {cwd: folder});
  try {
    const address = await addressOf(child);
    await new Promise((resolve) => setTimeout(resolve, 20000));  // points of the demo's traffic for the charts
    for (const [name, colorScheme] of [["console.png", "light"], ["console-dark.png", "dark"]]) {
      const page = await browser.newPage({viewport: {width: 1280, height: 1230}, colorScheme});
      await page.goto(address);
      await page.waitForSelector("#figures figure canvas", {state: "visible"});
      await page.waitForTimeout(2500);
      await page.screenshot({path: join(out, name)});
      await page.close();
    }
  } finally {
    child.removeAllListeners("exit");
    child.kill();
  }
};

try {
  const demo = await takeDemo();
  if (data) await takeReport();
  await takeConsole();
  writeFileSync(join(out, "images.json"),
    JSON.stringify({demo, report: digestOf("web/report"), console: digestOf("web/console/src")}, null, 1) + "\n");
} finally {
  await browser.close();
  rmSync(folder, {recursive: true});
}
