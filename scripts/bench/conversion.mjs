// What translating between the dialects costs: the four ways a request can take, in turns, so that a busy machine
// slows all of them alike. Every figure is given as a ratio to the client's own dialect passed through.
import { line, loadOnce, times, warmUp } from "./measure.mjs";

const ROUNDS = 4;
const CHAT = "/v1/chat/completions";
const MESSAGES = "/v1/messages";

const WAYS = [
  { name: "chat client, chat supplier", path: CHAT, model: "bench" },
  { name: "chat client, messages supplier", path: CHAT, model: "bench-messages" },
  { name: "messages client, messages supplier", path: MESSAGES, model: "bench-messages" },
  { name: "messages client, chat supplier", path: MESSAGES, model: "bench" },
];

/** Measures whole answers and streams on each way and prints both tables. `seconds`: for each way, in all rounds. */
export async function measureConversion(gateway, headers, seconds) {
  for (const stream of [false, true]) {
    const targets = WAYS.map((way) => ({ ...gateway, ...way }));
    for (const target of targets) await warmUp(target, headers, stream);
    const sums = targets.map(() => ({ micros: 0, requests: 0 }));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, target] of targets.entries()) {
        const { micros, requests } = await loadOnce(target, headers, stream, Math.max(1, seconds / ROUNDS));
        sums[index].micros += micros * requests;
        sums[index].requests += requests;
      }
    }
    print(
      stream,
      sums.map(({ micros, requests }) => micros / requests),
    );
  }
}

function print(stream, micros) {
  const write = (...cells) => process.stdout.write(`${line(...cells)}\n`);
  process.stdout.write(`\nConversion, ${stream ? "streams of 100 events" : "whole answers"}\n`);
  write("", "CPU µs/req", "to itself", "to passing");
  for (const [index, { name }] of WAYS.entries()) {
    const passed = micros[index - (index % 2)];
    write(
      name,
      micros[index].toFixed(0),
      index % 2 === 0 ? "" : times(micros[index], passed),
      times(micros[index], micros[0]),
    );
  }
}
