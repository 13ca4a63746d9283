import { isObject } from "../wire/events/reading";
import type { EventTexts, GrowingText, StreamTexts } from "../wire/events/stream-texts";

type Wire = Record<string, unknown>;

/** The texts of messages events. */
export const messagesTexts: StreamTexts = { read: readTexts, repeats: false };

const BLOCK_TEXTS = ["text", "thinking", "partial_json"];

function readTexts(event: Wire): EventTexts {
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
        channel: ofBlock + name,
        text,
        replace: (clean) => {
          (holder as Wire)[name] = clean;
        },
        more: (rest) => ({
          type: "content_block_delta",
          index,
          delta: { type: isStart ? `${name}_delta` : holder.type, [name]: rest },
        }),
      },
    ];
  });
  // The signature follows the complete thinking text.
  return { growing, ended: growing.length === 0 && !isStart ? [ofBlock] : [] };
}
