// Every call of the protocol by grpc-js, an implementation of gRPC that shares no code with the service's.
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {createInterface} from "node:readline";
import {after, before, test} from "node:test";
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";

const DIMENSION = 32;  // of the demo
let server, address, client;

before(async () => {
  server = spawn(process.env.STAD_SERVER, ["--listen", "127.0.0.1:0", "--grpc-listen", "127.0.0.1:0"],
                 {stdio: ["ignore", "ignore", "pipe"]});
  let port;
  for await (const line of createInterface({input: server.stderr})) {
    const entry = JSON.parse(line);
    if (entry.message === "serving gRPC") port = entry.grpc;
    if (entry.message !== "serving") continue;
    address = entry.address;
    break;
  }
  server.stderr.resume();
  const options = {keepCase: true, longs: Number, defaults: true, oneofs: true};
  const {inference} = grpc.loadPackageDefinition(loader.loadSync(process.env.STAD_PROTO, options));
  client = new inference.GRPCInferenceService(port, grpc.credentials.createInsecure());
});

after(() => {
  client.close();
  server.kill("SIGTERM");
});

const call = (method, message) =>
  new Promise((resolve, reject) => client[method](message, (error, answer) => (error ? reject(error) : resolve(answer))));

const rows = (count) => Float32Array.from({length: count * DIMENSION}, (_, i) => Math.sin(i));

function request(count, stream, more = {}) {
  const values = rows(count);
  return {model_name: "demo", parameters: {sequence_id: {string_param: stream}},
          inputs: [{name: "features", datatype: "FP32", shape: [count, DIMENSION]}],
          raw_input_contents: [Buffer.from(values.buffer)], ...more};
}

/** The tensors of REST as bytes, by name. */
async function rest(count, stream) {
  const values = Buffer.from(rows(count).buffer);
  const head = Buffer.from(JSON.stringify({
    parameters: {sequence_id: stream, binary_data_output: true},
    inputs: [{name: "features", datatype: "FP32", shape: [count, DIMENSION],
              parameters: {binary_data_size: values.length}}]}));
  const answer = await fetch(`${address}v2/models/demo/infer`, {
    method: "POST", body: Buffer.concat([head, values]), headers: {"Inference-Header-Content-Length": `${head.length}`}});
  const body = Buffer.from(await answer.arrayBuffer());
  const length = Number(answer.headers.get("Inference-Header-Content-Length"));
  let offset = length;
  return Object.fromEntries(JSON.parse(body.subarray(0, length)).outputs.map(({name, parameters}) => {
    const bytes = body.subarray(offset, (offset += parameters.binary_data_size));
    return [name, bytes];
  }));
}

test("health and descriptions", async () => {
  assert.equal((await call("ServerLive", {})).live, true);
  assert.equal((await call("ServerReady", {})).ready, true);
  assert.equal((await call("ModelReady", {name: "demo"})).ready, true);
  assert.equal((await call("ServerMetadata", {})).name, "stad");
  const model = await call("ModelMetadata", {name: "demo"});
  assert.deepEqual(model.inputs, [{name: "features", datatype: "FP32", shape: [-1, DIMENSION]}]);
});

test("answers are byte-equal to those of REST", async () => {
  for (let i = 0; i < 8; ++i) {
    const expected = await rest(4, "js-rest");
    const answer = await call("ModelInfer", request(4, "js-grpc"));
    assert.equal(answer.parameters.batch.int64_param, i + 1);
    assert.deepEqual(answer.outputs.map(({name}) => name), Object.keys(expected));
    answer.outputs.forEach(({name}, k) => assert.deepEqual(answer.raw_output_contents[k], expected[name]));
  }
});

test("typed contents are accepted", async () => {
  const typed = request(2, "js-typed", {raw_input_contents: []});
  typed.inputs[0].contents = {fp32_contents: [...rows(2)]};
  const answer = await call("ModelInfer", typed);
  const raw = await call("ModelInfer", request(2, "js-raw"));
  assert.deepEqual(answer.raw_output_contents, raw.raw_output_contents);
});

test("errors have codes and messages", async () => {
  await assert.rejects(call("ModelInfer", request(1, "s", {model_name: "x"})),
                       {code: grpc.status.NOT_FOUND, details: "model 'x' not found; available: demo"});
  await assert.rejects(call("ModelInfer", request(1, "-")), {code: grpc.status.INVALID_ARGUMENT});
});

test("a stream call answers in order", async () => {
  const stream = client.ModelStreamInfer();
  const answers = [];
  const ended = new Promise((resolve, reject) => stream.on("end", resolve).on("error", reject));
  stream.on("data", (answer) => answers.push(answer));
  for (let i = 0; i < 1000; ++i)
    stream.write(request(1, "js-stream", {id: `r${i}`, ...(i === 500 ? {model_name: "x"} : {})}));
  stream.end();
  await ended;
  assert.deepEqual(answers.map(({infer_response}) => infer_response.id), Array.from({length: 1000}, (_, i) => `r${i}`));
  assert.deepEqual(answers.flatMap(({error_message}, i) => (error_message ? [i] : [])), [500]);
  assert.equal(answers[999].infer_response.parameters.batch.int64_param, 999);
});
