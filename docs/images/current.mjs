// What a picture depends on: the figures of the demo, and the sources of the pages.
import {createHash} from "node:crypto";
import {readFileSync, readdirSync, statSync} from "node:fs";
import {dirname, join, resolve} from "node:path";
import {fileURLToPath} from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

const filesBelow = (folder) => readdirSync(folder).sort().flatMap((name) => {
  const path = join(folder, name);
  return statSync(path).isDirectory() ? filesBelow(path) : [path];
});

// A digest of every file of the folder.
export const digestOf = (folder) => {
  const hash = createHash("sha256");
  for (const path of filesBelow(join(root, folder))) hash.update(path.slice(root.length)).update(readFileSync(path));
  return hash.digest("hex").slice(0, 16);
};

// The accuracies of the demo's first table: rows of a method's name and its numbers.
export const demoFigures = (page) => page.locator("table").first().locator("tbody tr").evaluateAll((rows) =>
  rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim().split(" (")[0])));
