// Opens the page of the fixture, or of the service at STAD_CONSOLE_URL.
import {after, before} from "node:test";

import {startBrowser} from "../browser/browser.mjs";
import {FixtureServer} from "./fixture_server.mjs";

export const given = process.env.STAD_CONSOLE_URL;
export const onlyFixture = given ? {skip: "needs a service that can be made to fail"} : {};

// A browser for the tests of a file, and the server they talk to.
export const consoleOf = (options = {}) => {
  const tools = {browser: null, server: null};
  before(async () => {
    tools.browser = await startBrowser();
    if (!given) tools.server = await new FixtureServer({folder: process.env.STAD_CONSOLE_PAGE, ...options}).start();
  });
  after(async () => {
    await tools.browser.close();
    await tools.server?.stop();
  });
  // A page that remembers what went wrong: page.errors.
  tools.open = async (hash = "", media = {}) => {
    const context =
      await tools.browser.newContext({viewport: {width: 1280, height: 900}, reducedMotion: "reduce", ...media});
    const page = await context.newPage();
    page.errors = [];
    page.on("pageerror", (error) => page.errors.push(String(error)));
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.errors.push(message.text()));
    page.address = given ?? tools.server.url;
    await page.goto(page.address + hash);
    return page;
  };
  tools.openLive = async (...where) => {
    const page = await tools.open(...where);
    await page.locator("#live[data-state=live]").waitFor();
    await page.locator("#large figure").first().waitFor();
    return page;
  };
  return tools;
};

// Asks the server itself, as another program would.
export const ask = async (page, path) => (await fetch(new URL(path, page.address))).json();

export const until = async (condition, what, seconds = 15) => {
  for (const end = Date.now() + 1000 * seconds; Date.now() < end;) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`waited ${seconds} s in vain: ${what}`);
};
