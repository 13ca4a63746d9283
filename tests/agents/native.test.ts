import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AgentGateway, startAgentGateway } from "../support/agent-gateway";
import { AGENT_USAGE, answerEvents, eventOf } from "../support/agent-supplier";
import { runAgent } from "./agent";
import { codex } from "./known-agents";

const NOTE = "the word is marmalade";

let gateway: AgentGateway;
beforeAll(async () => {
  gateway = await startAgentGateway({ count: 1, fixed: true }, { more: { cooldown: false } });
});
afterAll(() => gateway?.close());
beforeEach(() => {
  gateway.supplier.calls.length = 0;
});

const place = () => ({ url: gateway.url, key: gateway.key, model: "agent" });

/** Returns the events of an answer that only calls a tool. */
function callEvents({ name, input }: { name: string; input: object }): string[] {
  const response = { id: "resp_2", object: "response", created_at: 1_790_000_000, model: "agent", output: [] };
  const text = JSON.stringify(input);
  const item = { type: "function_call", id: "fc_1", call_id: "call_1", name, arguments: text, status: "completed" };
  return [
    { type: "response.created", response: { ...response, status: "in_progress" } },
    { type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "", status: "in_progress" } },
    { type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 0, delta: text },
    { type: "response.function_call_arguments.done", item_id: "fc_1", output_index: 0, arguments: text },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { ...response, status: "completed", output: [item], usage: AGENT_USAGE } },
  ].map((data, sequence_number) => eventOf({ ...data, sequence_number }));
}

describe.skipIf(codex.command === null)(codex.name, () => {
  test("starts and answers a prompt", async () => {
    gateway.supplier.answer(() => ({ events: answerEvents(["Good ", "morning ", "to you"]) }));
    const { code, output } = await runAgent(codex, place(), "Say good morning");
    expect(output).toContain("Good morning to you");
    expect(code).toBe(0);
    const { body, headers, token } = gateway.supplier.calls.at(-1)!;
    expect(body).toContain("Say good morning");
    expect(headers["session-id"] ?? headers.session_id).toBeDefined();
    expect(token).not.toBe(gateway.key);
  });

  test("reads a file with a tool of its own", async () => {
    gateway.supplier.answer(({ body }) => ({
      events: body.includes(NOTE) ? answerEvents(["I have read ", "marmalade"]) : callEvents(codex.reading("")),
    }));
    const { code, output } = await runAgent(codex, place(), "Which word is in note.txt?", { note: NOTE });
    expect(gateway.supplier.calls.some(({ body }) => body.includes(NOTE))).toBe(true);
    expect(output).toContain("I have read marmalade");
    expect(code).toBe(0);
  });

  test("shows what a supplier refuses", async () => {
    gateway.supplier.answer(() => ({
      status: 400,
      body: { error: { code: "invalid_prompt", message: "The moon is in the wrong house" } },
    }));
    const { output } = await runAgent(codex, place(), "Say good morning");
    expect(output).toContain("The moon is in the wrong house");
  });

  test("asks again when a stream breaks", async () => {
    let answers = 0;
    gateway.supplier.answer(() => {
      answers += 1;
      const events = answerEvents(["Good ", "morning ", "again"]);
      return answers === 1 ? { events: events.slice(0, 5), breaks: true } : { events };
    });
    const { code, output } = await runAgent(codex, place(), "Say good morning");
    expect(output).toContain("Good morning again");
    expect(code).toBe(0);
    expect(gateway.supplier.calls.length).toBeGreaterThan(1);
  });

  test("is killed in mid-answer, and the supplier is left within two seconds", async () => {
    gateway.supplier.answer(() => ({ events: answerEvents(Array(2_000).fill("word ")), paceMs: 20 }));
    await runAgent(codex, place(), "Say good morning", {
      started: (child) => {
        const watch = setInterval(() => {
          if (gateway.supplier.calls.length === 0) return;
          clearInterval(watch);
          setTimeout(() => child.kill(codex.endedBy), 500);
        }, 20);
      },
    });
    await expect.poll(() => gateway.supplier.calls.every(({ aborted }) => aborted), { timeout: 2_000 }).toBe(true);
  });
});
