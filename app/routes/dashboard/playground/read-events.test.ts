import { expect, test } from "vitest";
import { NO_ANSWER, readEvents, withEvent } from "./read-events";

test("an answer grows by each event, in whatever pieces the bytes come", async () => {
  const events = [
    `data: ${JSON.stringify({ choices: [{ delta: { role: "assistant", content: "Grü" } }] })}`,
    `: a heartbeat`,
    `data: ${JSON.stringify({ choices: [{ delta: { content: "ße" } }] })}`,
    `data: ${JSON.stringify({ choices: [], usage: { total_tokens: 3 } })}`,
    "data: [DONE]",
    `event: receipt\ndata: ${JSON.stringify({ request_id: "r", cost_usd: "0.000000100" })}`,
  ];
  const bytes = new TextEncoder().encode(`${events.join("\n\n")}\n\n`);
  let answer = NO_ANSWER;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += 3) controller.enqueue(bytes.slice(at, at + 3));
      controller.close();
    },
  });
  await readEvents(body, (next) => {
    answer = next;
  });
  expect(answer).toEqual({
    ...NO_ANSWER,
    text: "Grüße",
    receipt: { request_id: "r", cost_usd: "0.000000100" },
  });
});

test("a refusal and the call of a tool are told apart from text", () => {
  expect(withEvent(NO_ANSWER, 'data: {"error":{"message":"m","human_message":"No."}}').error).toBe("No.");
  const call = { function: { name: "weather", arguments: '{"city":' } };
  const first = withEvent(NO_ANSWER, `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [call] } }] })}`);
  const more = { function: { arguments: '"Bonn"}' } };
  const second = withEvent(first, `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [more] } }] })}`);
  expect(second.tools).toBe('weather {"city":"Bonn"}');
});
