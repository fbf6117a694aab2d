// Opens pages in Debian's chromium.
import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";

// The packages are in the build tree, where the tests are run, not in the folder of this file.
const {chromium} = createRequire(`${process.cwd()}/`)("playwright-core");

export const startBrowser = () => chromium.launch({
  executablePath: process.env.STAD_CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});

// A page that has drawn its charts, with its errors and requests in page.errors and page.foreignRequests.
export const openReport = async (browser, path, options = {}) => {
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, reducedMotion: "reduce", ...options});
  const page = await context.newPage();
  const address = pathToFileURL(path).href;
  page.errors = [];
  page.foreignRequests = [];
  page.on("pageerror", (error) => page.errors.push(String(error)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.errors.push(message.text()));
  page.on("request", (request) => request.url() !== address && page.foreignRequests.push(request.url()));
  await page.goto(address);
  await page.waitForFunction(() =>
    [...document.querySelectorAll("figure")].every((chart) => chart.querySelector("svg.canvas")));
  return page;
};
