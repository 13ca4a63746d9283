import { isObject } from "../wire/events/reading";
import type { EventTexts, GrowingText, StreamTexts } from "../wire/events/stream-texts";
import { isOver } from "./finish-reasons";

type Wire = Record<string, unknown>;

/** The texts of chat and text completion events. */
export const chatTexts: StreamTexts = { read: readTexts, repeats: false };

const CHAT_TEXTS = ["content", "reasoning_content", "reasoning", "refusal"];

function readTexts(event: Wire): EventTexts {
  const texts: EventTexts = { growing: [], ended: [] };
  const { choices, usage: _, ...head } = event;
  if (!Array.isArray(choices)) return texts;
  for (const choice of choices) {
    if (!isObject(choice)) continue;
    const index = choice.index ?? 0;
    const more = (delta: Wire) => ({ ...head, choices: [{ index, delta, finish_reason: null }] });
    const { delta } = choice;
    // Log probabilities repeat the text.
    if (choice.logprobs != null) (choice as Wire).logprobs = null;
    // A text completion has `text` instead of `delta`.
    const { text } = choice;
    if (typeof text === "string" && text !== "")
      texts.growing.push({
        channel: `${index} text`,
        text,
        replace: (clean) => {
          (choice as Wire).text = clean;
        },
        more: (rest) => ({ ...head, choices: [{ index, text: rest, logprobs: null, finish_reason: null }] }),
      });
    if (isObject(delta)) texts.growing.push(...deltaTexts(delta as Wire, `${index} `, more));
    if (isOver(choice.finish_reason)) texts.ended.push(`${index} `);
  }
  return texts;
}

function deltaTexts(delta: Wire, prefix: string, more: (delta: Wire) => Wire): GrowingText[] {
  const texts: GrowingText[] = [];
  const add = (holder: unknown, name: string, channel: { channel: string; more(text: string): Wire }) => {
    const text = isObject(holder) ? holder[name] : null;
    if (typeof text !== "string" || text === "") return;
    const replace = (clean: string) => {
      (holder as Wire)[name] = clean;
    };
    texts.push({ ...channel, text, channel: prefix + channel.channel, replace });
  };
  for (const name of CHAT_TEXTS) add(delta, name, { channel: name, more: (text) => more({ [name]: text }) });
  add(delta.function_call, "arguments", {
    channel: "function_call",
    more: (text) => more({ function_call: { arguments: text } }),
  });
  for (const call of listOf(delta.tool_calls)) {
    const index = call.index ?? 0;
    add(call.function, "arguments", {
      channel: `tool ${index}`,
      more: (text) => more({ tool_calls: [{ index, function: { arguments: text } }] }),
    });
  }
  for (const detail of listOf(delta.reasoning_details)) {
    const { type, index = 0 } = detail;
    for (const name of ["text", "summary"])
      add(detail, name, {
        channel: `detail ${index} ${name}`,
        more: (text) => more({ reasoning_details: [{ type, index, [name]: text }] }),
      });
  }
  return texts;
}

const listOf = (value: unknown): Wire[] => (Array.isArray(value) ? value.filter(isObject) : []) as Wire[];
