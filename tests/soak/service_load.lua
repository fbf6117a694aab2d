-- wrk: batches of one row of 512 float32 values, binary, each connection a stream of its own.
--   wrk -t1 -c64 -d20s --latency -s tests/soak/service_load.lua http://127.0.0.1:8080
local ffi = require("ffi")
local connections = 0
local dimension = 512

function setup(thread)
  thread:set("base", connections)
  connections = connections + 1
end

local requests = {}
local turn = 0

function init(arguments)
  math.randomseed(base + 1)
  local streams = tonumber(arguments[1]) or 64
  for stream = 1, streams do
    local values = ffi.new("float[?]", dimension)
    for i = 0, dimension - 1 do values[i] = math.random() - 0.3 end
    local json = string.format('{"parameters":{"sequence_id":"%d-%d","binary_data_output":true},"inputs":[{"name":"features",' ..
      '"shape":[1,%d],"datatype":"FP32","parameters":{"binary_data_size":%d}}]}', base, stream, dimension, 4 * dimension)
    requests[stream] = wrk.format("POST", "/v2/models/m/infer",
      {["Content-Type"] = "application/octet-stream", ["Inference-Header-Content-Length"] = tostring(#json)},
      json .. ffi.string(values, 4 * dimension))
  end
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

function done(summary, latency)
  io.write(string.format("requests a second %.0f, p50 %.2f ms, p99 %.2f ms, errors %d\n",
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    summary.errors.connect + summary.errors.status + summary.errors.read + summary.errors.write +
    summary.errors.timeout))
end
