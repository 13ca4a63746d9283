// Measures the cost of translation between the dialects: alternates the combinations of client and supplier, so that a
// busy machine slows all of them equally. Every value is a ratio to the client's own dialect without translation.
import { loadOnce, seconds, together, warmUp } from "./measure.mjs";
import { line, rounded, times } from "./table.mjs";

const ROUNDS = 4;
const CHAT = "/v1/chat/completions";
const MESSAGES = "/v1/messages";

const RESPONSES = "/v1/responses";

/** For each client dialect, the combination without translation precedes its translations. */
const WAYS = [
  { name: "chat client, chat supplier", path: CHAT, model: "bench" },
  { name: "chat client, messages supplier", path: CHAT, model: "bench-messages" },
  { name: "messages client, messages supplier", path: MESSAGES, model: "bench-messages" },
  { name: "messages client, chat supplier", path: MESSAGES, model: "bench" },
  { name: "responses client, responses supplier", path: RESPONSES, model: "bench-responses" },
  { name: "responses client, chat supplier", path: RESPONSES, model: "bench" },
  { name: "responses client, messages supplier", path: RESPONSES, model: "bench-messages" },
  { name: "… chat supplier, kept for the client", path: RESPONSES, model: "bench", stored: true },
];

/**
 * Measures whole answers and streams for each combination, and prints both tables. Returns the number of answered
 * requests.
 */
export async function measureConversion(gateway, headers) {
  let requests = 0;
  for (const stream of [false, true]) {
    const targets = WAYS.map((way) => ({ ...gateway, ...way }));
    for (const target of targets) requests += (await warmUp(target, headers, stream)).requests;
    const loads = targets.map(() => []);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, target] of targets.entries())
        loads[index].push(await loadOnce(target, headers, stream, Math.max(1, seconds / ROUNDS)));
    }
    const ways = loads.map(together);
    requests += ways.reduce((sum, way) => sum + way.requests, 0);
    print(stream, ways);
  }
  return requests;
}

function print(stream, ways) {
  const write = (...cells) => process.stdout.write(`${line(...cells)}\n`);
  process.stdout.write(
    `\nConversion, full accounting, embedded, ${stream ? "streams of 100 events" : "whole answers"}\n`,
  );
  write("", "CPU µs", "to itself", "to passing", "DB µs", "failed");
  for (const [index, { server, database, failed }] of ways.entries()) {
    const passing = WAYS.findIndex(({ path }) => path === WAYS[index].path);
    const itself = index === passing ? "" : times(server, ways[passing].server);
    write(WAYS[index].name, rounded(server), itself, times(server, ways[0].server), rounded(database), failed);
  }
}
