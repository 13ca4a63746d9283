import type { DialectName } from "../canonical/exchange";
import { isOver } from "../dialects/chat/finish-reasons";
import { isObject } from "../dialects/wire/events/reading";

/** A text that grows from event to event. `channel` identifies it within its stream. */
export type GrowingText = {
  channel: string;
  text: string;
  /** Replaces it in its event. */
  replace(text: string): void;
  /** Builds an event that only appends a text to it. */
  more(text: string): Record<string, unknown>;
};

/** The texts of one event of an answer. `ended`: prefixes of the channels that end before it. */
type EventTexts = { growing: GrowingText[]; ended: string[] };

type Wire = Record<string, unknown>;
type Reader = (event: Wire) => EventTexts;

/** Readers of each dialect's events; null if it does not stream texts. */
export const EVENT_TEXTS: Readonly<Record<DialectName, Reader | null>> = {
  chat: chatTexts,
  completions: chatTexts,
  messages: messagesTexts,
  responses: responseTexts,
  native: responseTexts,
  embeddings: null,
  rerank: null,
  moderation: null,
  image: null,
  imageEdit: null,
  speech: null,
  transcription: null,
  translation: null,
};

const CHAT_TEXTS = ["content", "reasoning_content", "reasoning", "refusal"];

function chatTexts(event: Wire): EventTexts {
  const found: EventTexts = { growing: [], ended: [] };
  const { choices, usage: _, ...head } = event;
  if (!Array.isArray(choices)) return found;
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
      found.growing.push({
        ...{ channel: `${index} text`, text },
        replace: (clean) => {
          (choice as Wire).text = clean;
        },
        more: (rest) => ({ ...head, choices: [{ index, text: rest, logprobs: null, finish_reason: null }] }),
      });
    if (isObject(delta)) found.growing.push(...deltaTexts(delta as Wire, `${index} `, more));
    if (isOver(choice.finish_reason)) found.ended.push(`${index} `);
  }
  return found;
}

function deltaTexts(delta: Wire, prefix: string, more: (delta: Wire) => Wire): GrowingText[] {
  const found: GrowingText[] = [];
  const add = (holder: unknown, name: string, told: { channel: string; more(text: string): Wire }) => {
    const text = isObject(holder) ? holder[name] : null;
    if (typeof text !== "string" || text === "") return;
    const replace = (clean: string) => {
      (holder as Wire)[name] = clean;
    };
    found.push({ ...told, text, channel: prefix + told.channel, replace });
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
  return found;
}

const listOf = (value: unknown): Wire[] => (Array.isArray(value) ? value.filter(isObject) : []) as Wire[];

const BLOCK_TEXTS = ["text", "thinking", "partial_json"];

function messagesTexts(event: Wire): EventTexts {
  const { type, index, delta } = event;
  const ofBlock = `${index} `;
  if (type === "content_block_stop") return { growing: [], ended: [ofBlock] };
  if (type === "message_delta" || type === "message_stop") return { growing: [], ended: [""] };
  const isStart = type === "content_block_start";
  const holder = isStart ? event.content_block : type === "content_block_delta" ? delta : null;
  if (!isObject(holder)) return { growing: [], ended: [] };
  const growing = BLOCK_TEXTS.flatMap((name): GrowingText[] => {
    const text = holder[name];
    if (typeof text !== "string" || text === "") return [];
    return [
      {
        ...{ channel: ofBlock + name, text },
        replace: (clean) => {
          (holder as Wire)[name] = clean;
        },
        more: (rest) => ({
          ...{ type: "content_block_delta", index },
          delta: { type: isStart ? `${name}_delta` : holder.type, [name]: rest },
        }),
      },
    ];
  });
  // The signature follows the complete thinking text.
  return { growing, ended: growing.length === 0 && !isStart ? [ofBlock] : [] };
}

function responseTexts(event: Wire): EventTexts {
  const { type, delta } = event;
  if (typeof type !== "string") return { growing: [], ended: [] };
  if (Array.isArray(event.logprobs)) event.logprobs = [];
  const place = [event.output_index, event.content_index, event.summary_index].map((at) => at ?? "").join(" ");
  if (type.endsWith(".delta") && typeof delta === "string" && !type.endsWith("audio.delta"))
    return {
      growing: [
        {
          ...{ channel: `${place} ${type.slice(0, -".delta".length)}`, text: delta },
          replace: (text) => {
            event.delta = text;
          },
          more: (text) => ({ ...event, delta: text }),
        },
      ],
      ended: [],
    };
  if (TERMINAL.has(type)) return { growing: [], ended: [""] };
  // Parts end before their items. A `done` event of a part concerns only that part.
  if (type === "response.output_item.done") return { growing: [], ended: [`${event.output_index ?? ""} `] };
  return { growing: [], ended: type.endsWith(".done") ? [`${place} `] : [] };
}

const TERMINAL: ReadonlySet<string> = new Set([
  "response.completed",
  "response.incomplete",
  "response.failed",
  "error",
]);
