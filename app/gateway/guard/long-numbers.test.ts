import { expect, test } from "vitest";
import { readRules } from "~/domain/guardrails/index.server";
import type { AdmittedCall } from "../admit/admission";
import type { Reply } from "../call/reply";
import { messagesDialect } from "../dialects/messages";
import type { MessagesSource } from "../dialects/messages/read";
import { readMessages } from "../dialects/messages/read";
import { guardInput } from "./input";
import { guardOutput } from "./output";

const BIG = "1234567890123456789";
const rule = {
  name: "secrets",
  id: "0000000000ff",
  on: "both",
  action: "redact",
  kind: "pattern",
  pattern: "secret|\\d{19}",
};
const call = (more: object) =>
  ({
    caller: { guardrails: { organisation: readRules([rule]), key: [] } },
    call: { guardrailHits: [] },
    dialect: messagesDialect,
    ...more,
  }) as unknown as AdmittedCall;
const use = `{"type":"tool_use","id":"c","name":"look","input":{"id":${BIG}}}`;

test("numbers keep all their digits where a text beside them is redacted, and are no texts", async () => {
  const text = `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"secret"},{"role":"assistant","content":[${use}]}]}`;
  const { inference } = await guardInput(call({ inference: readMessages(text) }));
  const sent = (inference.source as MessagesSource).text;
  expect(sent).not.toContain("secret");
  expect(sent).toContain(use);

  const body = Buffer.from(`{"type":"message","content":[{"type":"text","text":"secret"},${use}]}`);
  const reply = { kind: "whole", answer: { body, usage: null, outputText: () => "" } } as unknown as Reply;
  const guarded = await guardOutput(call({}), reply);
  const shown = guarded.kind === "whole" ? guarded.answer.body.toString() : "";
  expect(shown).not.toContain("secret");
  expect(shown).toContain(use);
});
