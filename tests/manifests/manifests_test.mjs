// The manifests against kubernetes-models: its validators, generated from the schemas of Kubernetes and of the Prometheus
// operator, find values of a wrong type and fields that are missing; TypeScript finds fields that its types do not have,
// which the validators, as Kubernetes, ignore.
import assert from "node:assert/strict";
import {readdirSync, readFileSync, writeFileSync} from "node:fs";
import test from "node:test";

import ts from "typescript";
import yaml from "yaml";

const folder = process.env.STAD_MANIFESTS;
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
// Kubernetes reads YAML 1.1, in which 0440 is octal.
const read = (name) => yaml.parseAllDocuments(readFileSync(`${folder}/${name}`, "utf8"), {version: "1.1"}).map((one) => one.toJS());

function module_of({apiVersion, kind}) {
  if (apiVersion.startsWith("serving.kserve.io/")) return "./kserve";
  if (apiVersion.startsWith("monitoring.coreos.com/")) return `@kubernetes-models/prometheus-operator/${apiVersion}/${kind}`;
  return `kubernetes-models/${apiVersion}/${kind}`;
}

async function validate(manifest) {
  if (module_of(manifest) === "./kserve") return;
  const {[manifest.kind]: Model} = await import(module_of(manifest));
  new Model(manifest).validate();
}

/** What TypeScript finds wrong with the manifests, as literals of their types. */
function type_errors(manifests) {
  const program_text = manifests.map((one, index) =>
    `import {I${one.kind} as Type${index}} from "${module_of(one)}";\n` +
    `export const manifest${index}: Type${index} = ${JSON.stringify(one, null, 1)};\n`).join("");
  writeFileSync("manifests.ts", program_text);
  const program = ts.createProgram(["manifests.ts"], {
    noEmit: true, strict: true, skipLibCheck: true, types: [], target: ts.ScriptTarget.ES2020,
    module: ts.ModuleKind.CommonJS, moduleResolution: ts.ModuleResolutionKind.Node10});
  return ts.getPreEmitDiagnostics(program).map(({messageText, file, start}) => {
    const line = file && file.getLineAndCharacterOfPosition(start).line;
    return ts.flattenDiagnosticMessageText(messageText, " ") + (file ? `: ${file.text.split("\n")[line].trim()}` : "");
  });
}

for (const name of files) {
  test(`${name} fits the schemas`, async () => {
    const manifests = read(name);
    assert(manifests.length > 0);
    for (const manifest of manifests) await validate(manifest);
    assert.deepEqual(type_errors(manifests), []);
  });
}

test("errors in manifests are found", async () => {
  const stateful_set = () => read("stad-server.yaml").find((one) => one.kind === "StatefulSet");
  const wrong_type = stateful_set();
  wrong_type.spec.template.spec.containers[0].readinessProbe.periodSeconds = "5";
  await assert.rejects(validate(wrong_type), /periodSeconds must be integer/);
  const missing = stateful_set();
  delete missing.spec.selector;
  await assert.rejects(validate(missing), /selector/);
  const unknown = stateful_set();
  unknown.spec.template.spec.containers[0].securityContext.readOnlyRootFileSystem = true;
  assert.match(type_errors([unknown])[0], /readOnlyRootFileSystem/);
  for (const [kind, place] of [["ServingRuntime", (one) => one.spec], ["ServingRuntime", (one) => one.spec.containers[0]],
                               ["InferenceService", (one) => one.spec.predictor], ["InferenceService", (one) => one.spec.predictor.model]]) {
    const manifest = read("stad-kserve.yaml").find((one) => one.kind === kind);
    place(manifest).misspelt = true;
    assert.match(type_errors([manifest])[0], /misspelt/);
  }
});
