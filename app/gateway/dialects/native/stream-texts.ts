import type { EventTexts, StreamTexts } from "../wire/events/stream-texts";

type Wire = Record<string, unknown>;

/** The texts of response events. */
export const responseTexts: StreamTexts = { read: readTexts, repeats: true };

function readTexts(event: Wire): EventTexts {
  const { type, delta } = event;
  if (typeof type !== "string") return { growing: [], ended: [] };
  if (Array.isArray(event.logprobs)) event.logprobs = [];
  const channel = [event.output_index, event.content_index, event.summary_index].map((at) => at ?? "").join(" ");
  if (type.endsWith(".delta") && typeof delta === "string" && !type.endsWith("audio.delta"))
    return {
      growing: [
        {
          channel: `${channel} ${type.slice(0, -".delta".length)}`,
          text: delta,
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
  return { growing: [], ended: type.endsWith(".done") ? [`${channel} `] : [] };
}

const TERMINAL: ReadonlySet<string> = new Set([
  "response.completed",
  "response.incomplete",
  "response.failed",
  "error",
]);
