// Loaded into a server under test by `node --import`. Appends one line about every answer to the file of
// TEST_ANSWERS_FILE, before the client receives the end of the answer. The server is unaware of it. Only JSON bodies
// are recorded.
import { Buffer } from "node:buffer";
import { subscribe } from "node:diagnostics_channel";
import { openSync, writeSync } from "node:fs";
import process from "node:process";

/** Maximum recorded body in bytes; no test of the suite exceeds it. */
const MAX_BYTES = 8 * 1024 * 1024;
let file = null;

subscribe("http.server.request.start", ({ request, response }) => {
  // The metrics port is not part of the described service.
  if (String(request.socket.localPort) === process.env.GW_METRICS_PORT) return;
  const { writeHead, write, end } = response;
  const given = new Map();
  const header = (name) => given.get(name) ?? response.getHeader(name);
  const chunks = [];
  let bytes = 0;
  const keep = (chunk, encoding) => {
    if (chunk === null || chunk === undefined || typeof chunk === "function") return;
    if (bytes > MAX_BYTES || !isJson(header("content-type"))) return;
    const part =
      typeof chunk === "string" ? Buffer.from(chunk, typeof encoding === "string" ? encoding : "utf8") : chunk;
    bytes += part.length;
    chunks.push(Buffer.from(part));
  };
  response.writeHead = (status, ...rest) => {
    for (const [name, value] of pairsOf(rest.at(-1))) given.set(String(name).toLowerCase(), value);
    return writeHead.call(response, status, ...rest);
  };
  response.write = (chunk, ...rest) => {
    keep(chunk, rest[0]);
    return write.call(response, chunk, ...rest);
  };
  response.end = (...rest) => {
    keep(rest[0], rest[1]);
    // `end` may be called twice; the second call has no effect. An answer to a disconnected client is not recorded.
    if (!response.writableEnded && !response.destroyed)
      note({
        method: request.method,
        url: request.url,
        status: response.statusCode,
        type: String(header("content-type") ?? ""),
        encoding: String(header("content-encoding") ?? ""),
        isWhole: bytes <= MAX_BYTES,
        body: bytes > MAX_BYTES || chunks.length === 0 ? null : Buffer.concat(chunks).toString("base64"),
      });
    return end.apply(response, rest);
  };
});

const isJson = (type) => /^application\/(?:[\w.+-]+\+)?json\b/.test(String(type ?? ""));

/** Returns header pairs from an object, from pairs, or from a flat list of names and values. */
function pairsOf(headers) {
  if (headers === null || typeof headers !== "object") return [];
  if (!Array.isArray(headers)) return Object.entries(headers);
  if (headers.every(Array.isArray)) return headers;
  return headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]]] : []));
}

function note(answer) {
  file ??= openSync(process.env.TEST_ANSWERS_FILE, "a");
  writeSync(file, `${JSON.stringify(answer)}\n`);
}
