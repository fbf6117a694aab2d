// The page of the fixture, open in a browser for the tests of one file.
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {after, before} from "node:test";

import {openReport, startBrowser} from "./browser.mjs";
import {report} from "./fixture.mjs";
import {writeReport} from "./report_page.mjs";

// {page}, and open(options) for another page, such as one of a dark screen.
export const fixturePage = () => {
  const folder = mkdtempSync(join(tmpdir(), "stad-report-")), path = join(folder, "report.html");
  const opened = {};
  let browser;
  before(async () => {
    writeReport(report, path);
    browser = await startBrowser();
    opened.open = (options) => openReport(browser, path, options);
    opened.page = await opened.open();
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, {recursive: true});
  });
  return opened;
};

export const textsOf = (locator) => locator.evaluateAll((nodes) => nodes.map((node) => node.textContent));
export const styleOf = (locator, property) => locator.evaluate((node, name) => getComputedStyle(node)[name], property);
