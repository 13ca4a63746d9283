import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BothDialects, startBothDialects } from "../support/both-dialects";
import { startGateway } from "../support/gateway";
import { type Agent, runAgent } from "./agent";
import { claudeCode, codex, codexOnResponses, continueCli, opencode } from "./known-agents";

const NOTE = "the word is marmalade";

let both: BothDialects;
beforeAll(async () => {
  both = await startBothDialects();
});
afterAll(() => both?.close());
beforeEach(() => {
  both.supplier.calls.length = 0;
});

const placeOf = (model: string) => ({ url: both.gateway.url, key: both.gateway.key, model });
const sent = () => JSON.stringify(both.supplier.calls.map(({ body }) => body.messages));
const isToolTurn = (body: { tools?: unknown[] }) => (body.tools?.length ?? 0) > 0;

/** Makes the model read the note and repeat its text. Other requests of the agent get a short answer. */
function playReading(agent: Agent, folder: () => string): void {
  both.supplier.answer(({ body }) => {
    if (!isToolTurn(body)) return { text: "A title" };
    return JSON.stringify(body.messages).includes(NOTE)
      ? { text: "I have read marmalade" }
      : {
          text: "Let me look",
          calls: [agent.reading(folder())].map((call, at) => ({ id: `call_read_${at}`, ...call })),
        };
  });
}

for (const agent of [claudeCode, opencode, continueCli, codexOnResponses]) {
  describe.skipIf(agent.command === null).each(["chat-model", "messages-model"])(`${agent.name} with %s`, (model) => {
    test("starts and answers a prompt", async () => {
      both.supplier.say({ text: "Good morning to you" });
      const { code, output } = await runAgent(agent, placeOf(model), "Say good morning");
      expect(output).toContain("Good morning to you");
      expect(code).toBe(0);
      expect(sent()).toContain("Say good morning");
    });

    test("reads a file with a tool of its own", async () => {
      let folder = "";
      playReading(agent, () => folder);
      const { code, output } = await runAgent(agent, placeOf(model), "Which word is in note.txt?", {
        note: NOTE,
        started: (_child, work) => (folder = work),
      });
      expect(sent()).toContain(NOTE);
      expect(output).toContain("I have read marmalade");
      expect(code).toBe(0);
    });

    test("shows what a supplier refuses", async () => {
      const failure = { status: 400, type: "invalid_request_error", message: "The moon is in the wrong house" };
      both.supplier.say({ failure });
      const { output } = await runAgent(agent, placeOf(model), "Say good morning");
      expect(output).toContain("The moon is in the wrong house");
    });

    test("asks again when a stream breaks, or says what has happened", async () => {
      both.supplier.say({ text: "one two three four five six seven", breaks: "error" }, { text: "Good morning again" });
      const { output } = await runAgent(agent, placeOf(model), "Say good morning");
      expect(output).toMatch(/Good morning again|supplier|error/i);
    });

    test("is killed in mid-answer, and the supplier is left within a second", async () => {
      both.supplier.say({ text: "word ".repeat(2_000), paceMs: 20 });
      let leftAt = 0;
      await runAgent(agent, placeOf(model), "Say good morning", {
        started: (child) => {
          const watch = setInterval(() => {
            if (both.supplier.calls.length === 0) return;
            clearInterval(watch);
            setTimeout(() => {
              leftAt = Date.now();
              child.kill(agent.endedBy ?? "SIGKILL");
            }, 500);
          }, 20);
        },
      });
      await expect.poll(() => both.supplier.calls.every(({ aborted }) => aborted), { timeout: 2_000 }).toBe(true);
      expect(Date.now() - leftAt).toBeLessThan(2_000);
    });
  });
}

describe.skipIf(claudeCode.command === null)("what @anthropic-ai/claude-code does beside talking", () => {
  test.each(["chat-model", "messages-model"])("it counts its context with %s", async (model) => {
    const { code, output } = await runAgent(claudeCode, placeOf(model), "/context");
    expect(output).toContain("Context Usage");
    expect(code).toBe(0);
  });
});

describe("a fresh installation, with its sandbox", () => {
  for (const [agent, model] of [
    [claudeCode, "sandbox-messages"],
    [opencode, "sandbox-chat"],
    [continueCli, "sandbox-chat"],
    [codex, "sandbox-agent"],
    [codexOnResponses, "sandbox-chat"],
    [codexOnResponses, "sandbox-messages"],
  ] as const) {
    test.skipIf(agent.command === null)(`${agent.name} with ${model} gets through a turn with tools`, async () => {
      const gateway = await startGateway();
      try {
        const { output } = await runAgent(agent, { url: gateway.url, key: gateway.key, model }, "Say hello");
        expect(output).toMatch(/The tools? answered|hello/i);
      } finally {
        await gateway.close();
      }
    });
  }
});
