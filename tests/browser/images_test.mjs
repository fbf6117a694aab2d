// The pictures of README and docs show what the programs show today. `make docs-images` renews them.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {test} from "node:test";

import {demoFigures, digestOf} from "../../docs/images/current.mjs";
import {openReport, startBrowser} from "./browser.mjs";

const recorded = JSON.parse(readFileSync(new URL("../../docs/images/images.json", import.meta.url)));

// Processors sum in different orders: a few rows of thousands may be answered otherwise.
const kTolerance = 0.3;

test("demo.png shows the accuracies of stad demo", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stad-images-"));
  const browser = await startBrowser();
  try {
    execFileSync(process.env.STAD_COMMAND, ["demo", "--out", join(folder, "demo.html")]);
    const figures = await demoFigures(await openReport(browser, join(folder, "demo.html")));
    assert.deepEqual(figures.map(([name]) => name), recorded.demo.map(([name]) => name));
    figures.forEach((row, r) => row.slice(1).forEach((text, c) =>
      assert.ok(Math.abs(Number(text) - Number(recorded.demo[r][c + 1])) <= kTolerance,
        `${row[0]}: ${text}, the picture shows ${recorded.demo[r][c + 1]}; run make docs-images`)));
  } finally {
    await browser.close();
    rmSync(folder, {recursive: true});
  }
});

test("the pages have not changed since the pictures were taken", () => {
  assert.equal(digestOf("web/report"), recorded.report, "report.png and demo.png are stale; run make docs-images");
  assert.equal(digestOf("web/console/src"), recorded.console, "console.png is stale; run make docs-images");
});
