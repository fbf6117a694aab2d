// node embed.mjs FOLDER OUTPUT: writes the files of the built page as a C++ source that defines console_files(). Bytes
// as numbers: a string literal has a limit in some compilers and cannot hold every byte.
import {readdirSync, readFileSync, statSync, writeFileSync} from "node:fs";
import {extname, join, relative} from "node:path";
import {gzipSync} from "node:zlib";

const [folder, output] = process.argv.slice(2);
const kTypes = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml"
};

const filesBelow = (path) => readdirSync(path).sort().map((name) => join(path, name))
  .flatMap((each) => statSync(each).isDirectory() ? filesBelow(each) : [each]);
const typeOf = (path) => kTypes[extname(path)] ?? (() => {
  throw new Error(`${path}: which content type has ${extname(path)}?`);
})();
const bytes = (name, content) => `constexpr unsigned char ${name}[] = {${[...content].join(",")}};\n`;
const view = (name) => `{reinterpret_cast<const char*>(${name}), sizeof ${name}}`;

const files = filesBelow(folder).map((path, index) => ({content: readFileSync(path), type: typeOf(path), index,
  address: `/${relative(folder, path)}`.replace(/^\/index\.html$/, "/")}));

writeFileSync(output,
  `#include "server/console/console_files.hpp"

namespace stad::server {
namespace {

${
    files
      .map(({content, index}) =>
             bytes(`content_${index}`, content) + bytes(`gzip_${index}`, gzipSync(content, {level: 9})))
      .join("")}
const ConsoleFile files[] = {
${
    files
      .map(({address, type, index}) =>
             `    {"${address}", "${type}", ${view(`content_${index}`)}, ${view(`gzip_${index}`)}},\n`)
      .join("")}};

}  // namespace

std::span<const ConsoleFile> console_files() { return files; }

}  // namespace stad::server
`);
