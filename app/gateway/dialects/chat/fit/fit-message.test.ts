import { describe, expect, test } from "vitest";
import { profileOf } from "~/domain/catalogue/profiles";
import type { JsonObject } from "../../wire/events/reading";
import { fitMessage } from "./fit-message";

const behind = (name: string, upstreamModel: string) =>
  profileOf({ upstreamModel, supplier: { name, kind: "chat", baseUrl: "http://127.0.0.1/v1" } });
const MISTRAL = behind("mistral", "mistral-medium-latest");
const GROQ = behind("groq", "openai/gpt-oss-120b");
const CEREBRAS = behind("cerebras", "gpt-oss-120b");
const OPENAI = behind("openai", "gpt-5.6");
const DEEPSEEK = behind("deepseek", "deepseek-v4-pro");
const OTHER = behind("other", "llama");

const calls = (id: string) => [{ id, type: "function", function: { name: "f", arguments: "{}" } }];
/** An answer as gw writes it: with empty members, and with a supplier's details of its thoughts. */
const ANSWER: JsonObject = {
  role: "assistant",
  content: null,
  refusal: null,
  annotations: [],
  audio: null,
  function_call: null,
  reasoning: "Hm.",
  reasoning_details: [{ type: "reasoning.text", text: "Hm.", format: "unknown" }],
  tool_calls: calls("abcdef123"),
};

describe("a message of a chat client for a supplier that takes no unknown member", () => {
  test.each([
    ["Mistral", MISTRAL, {}],
    ["Groq", GROQ, { reasoning: "Hm." }],
    ["Cerebras", CEREBRAS, { reasoning: "Hm." }],
  ])("has what %s knows, and its content also where that is null", (_name, rules, thought) => {
    expect(fitMessage(ANSWER, rules)).toEqual({
      ...{ role: "assistant", content: null, tool_calls: ANSWER.tool_calls },
      ...thought,
    });
  });

  test("still says that the model refused", () => {
    const message = { role: "assistant", content: null, refusal: "I will not." };
    expect(fitMessage(message, GROQ)).toEqual({ role: "assistant", content: "I will not." });
  });

  test("is the same object where there is nothing to leave out, and elsewhere", () => {
    const plain = { role: "assistant", content: "Yes.", tool_calls: calls("abcdef123") };
    for (const rules of [GROQ, CEREBRAS, DEEPSEEK, OTHER])
      expect(fitMessage({ role: "user", content: "x", name: "n" }, rules)).toEqual({
        ...{ role: "user", content: "x", name: "n" },
      });
    for (const rules of [MISTRAL, GROQ, CEREBRAS, OTHER]) expect(fitMessage(plain, rules)).toBe(plain);
    expect(fitMessage(ANSWER, OTHER)).toBe(ANSWER);
  });
});

describe("ids of another supplier's calls", () => {
  test("are nine letters and digits where the model takes no others, the same in a call and in its result", () => {
    const call = fitMessage({ role: "assistant", content: null, tool_calls: calls("functions.f:0") }, MISTRAL);
    const result = fitMessage({ role: "tool", tool_call_id: "functions.f:0", content: "x" }, MISTRAL);
    expect(result!.tool_call_id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(call!.tool_calls).toEqual(calls(String(result!.tool_call_id)));
  });

  test.each([
    ["OpenAI", OPENAI],
    ["a supplier of its models under a name of its own", behind("own", "gpt-4.1")],
    ["a deployment of any name", behind("azure", "prod-main")],
  ])("are no longer than %s takes", (_name, rules) => {
    const id = `chatcmpl-tool-${"0".repeat(32)}`;
    const call = fitMessage({ role: "assistant", content: null, tool_calls: calls(id) }, rules);
    const result = fitMessage({ role: "tool", tool_call_id: id, content: "x" }, rules);
    expect(String(result!.tool_call_id).length).toBeLessThanOrEqual(40);
    expect(call!.tool_calls).toEqual(calls(String(result!.tool_call_id)));
  });

  test("stay where they fit", () => {
    const result = { role: "tool", tool_call_id: "functions.f:0", content: "x" };
    const own = { role: "tool", tool_call_id: "abcdef123", content: "x" };
    for (const rules of [GROQ, OPENAI]) expect(fitMessage(result, rules)).toBe(result);
    expect(fitMessage(own, MISTRAL)).toBe(own);
  });
});

describe("thoughts among the parts of a content", () => {
  const thinking = { type: "thinking", thinking: [{ type: "text", text: "Hm." }] };
  const texts = ["One", " and two."].map((text) => ({ type: "text", text }));
  const picture = { type: "image_url", image_url: { url: "https://example.com/a.png" } };

  test("stand where the model looks for its thoughts, and leave a text behind", () => {
    expect(fitMessage({ role: "assistant", content: [thinking, ...texts] }, DEEPSEEK)).toEqual({
      ...{ role: "assistant", content: "One and two.", reasoning_content: "Hm." },
    });
  });

  test("leave no content behind where there are calls only, and parts where not all are texts", () => {
    const called = { role: "assistant", content: [thinking], tool_calls: calls("call_1") };
    expect(fitMessage(called, DEEPSEEK)).toEqual({ ...called, content: null, reasoning_content: "Hm." });
    const pictured = { role: "assistant", content: [thinking, picture] };
    expect(fitMessage(pictured, DEEPSEEK)!.content).toEqual([picture]);
  });

  test("go back to the model that has them there, and to one that no table knows", () => {
    const message = { role: "assistant", content: [thinking, ...texts] };
    expect(fitMessage(message, MISTRAL)).toBe(message);
    expect(fitMessage(message, OTHER)).toBe(message);
  });
});

describe("a call of Gemini 3 behind OpenRouter", () => {
  const OPENROUTER = behind("openrouter", "google/gemini-3-pro-preview");
  const placeholder = (id: string) => ({
    ...{
      type: "reasoning.encrypted",
      data: "skip_thought_signature_validator",
      format: "google-gemini-v1",
      index: 0,
      id,
    },
  });
  const message = { role: "assistant", content: null, tool_calls: [...calls("c1"), ...calls("c2")] };

  test("has one placeholder for the sealed detail that its client has not kept, with the id of the first call", () => {
    expect(fitMessage(message, OPENROUTER)).toEqual({ ...message, reasoning_details: [placeholder("c1")] });
    const text = { type: "reasoning.text", text: "Hm.", format: "google-gemini-v1" };
    expect(fitMessage({ ...message, reasoning_details: [text] }, OPENROUTER)).toEqual({
      ...message,
      reasoning_details: [text, placeholder("c1")],
    });
  });

  test("goes back as it came with its own detail, and so does a message without calls", () => {
    const own = { ...message, reasoning_details: [{ type: "reasoning.encrypted", data: "c2VhbA==", index: 0 }] };
    expect(fitMessage(own, OPENROUTER)).toBe(own);
    const words = { role: "assistant", content: "Hello." };
    expect(fitMessage(words, OPENROUTER)).toBe(words);
  });

  test("needs none where another model made it, or stands behind OpenRouter", () => {
    expect(fitMessage(message, behind("openrouter", "anthropic/claude-opus-4.8"))).toBe(message);
    expect(fitMessage(message, behind("openrouter", "google/gemini-2.5-pro"))).toBe(message);
  });
});
