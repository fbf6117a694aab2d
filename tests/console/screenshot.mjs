// node screenshot.mjs URL OUT [light|dark|phone|whole]: a picture of the page, after it has been live for a moment. Run
// it where playwright-core is, build/tests/browser.
import {startBrowser} from "../browser/browser.mjs";

const [url, out, kind = "light"] = process.argv.slice(2);
const browser = await startBrowser();
const page = await browser.newPage({
  viewport: kind === "phone" ? {width: 390, height: 844} : {width: 1280, height: 1230},
  colorScheme: kind === "dark" ? "dark" : "light",
});
await page.goto(url);
await page.waitForSelector("#figures figure canvas", {state: "visible"});
await page.waitForTimeout(2500);
await page.screenshot({path: out, fullPage: ["phone", "whole"].includes(kind)});
await browser.close();
