import assert from "node:assert/strict";
import {test} from "node:test";

import {consoleOf, onlyFixture} from "./open_page.mjs";

const console_ = consoleOf({token: "open sesame"});

test("a service with tokens is asked with one, once for each tab", onlyFixture, async () => {
  const page = await console_.open();
  await page.locator("dialog", {hasText: "asks for a token"}).waitFor();
  await page.keyboard.type("wrong");
  await page.keyboard.press("Enter");
  await page.locator("dialog", {hasText: "was not accepted"}).waitFor();
  await page.keyboard.type("open sesame");
  await page.keyboard.press("Enter");
  await page.locator("#live[data-state=live]").waitFor();
  await page.reload();
  await page.locator("#live[data-state=live]").waitFor();
  assert.equal(await page.locator("dialog").count(), 0);
  assert.equal(await page.evaluate(() => localStorage.length), 0);
  assert.ok(!page.url().includes("sesame"));
  await page.context().close();
});

test("who has no token is told so and can try again", onlyFixture, async () => {
  const page = await console_.open();
  await page.locator("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("#banner", {hasText: "a token is needed"}).waitFor();
  await page.locator("#banner button", {hasText: "Try again"}).click();
  await page.locator("dialog input").waitFor();
  await page.context().close();
});
