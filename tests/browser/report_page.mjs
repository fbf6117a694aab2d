// Writes the page of a report in the same way as apps/cli/report_page.cpp.
import {readFileSync, writeFileSync} from "node:fs";
import {fileURLToPath} from "node:url";

const file = (name) => {
  const folder = name === "palette.css" ? "../../web" : "../../web/report";
  return readFileSync(fileURLToPath(new URL(`${folder}/${name}`, import.meta.url)), "utf8");
};

const piece = (report, name) => {
  if (name === "title") return report.title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  if (name === "data") return JSON.stringify(report).replaceAll("<", "\\u003c");
  return file(name);
};

export const writeReport = (report, path) =>
  writeFileSync(path, file("report.html").replaceAll(/\{\{(.*?)\}\}/g, (_, name) => piece(report, name)));
