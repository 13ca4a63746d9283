import { isObject } from "../dialects/wire/reading";

/** A text in a body, and a way to exchange it. */
export type PlacedText = { text: string; replace(text: string): void };

/** Members that hold names, ids, seals and bytes: what a model neither reads nor writes as text. */
const NO_TEXTS: ReadonlySet<string> = new Set(
  [
    "type role id name model object status index call_id item_id tool_call_id tool_use_id response_id previous_response_id",
    "signature encrypted_content cache_control media_type format detail finish_reason stop_reason system_fingerprint logprobs",
    "service_tier usage created created_at b64_json embedding file_data file_id data",
  ].flatMap((names) => names.split(" ")),
);

/** Every text below a value, wherever it stands. Bytes in `data:` addresses are none. */
export function textsIn(value: unknown): PlacedText[] {
  const found: PlacedText[] = [];
  collect(value, found);
  return found;
}

function collect(value: unknown, found: PlacedText[], isOwn = false): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      take({ member: item, found, isOwn, replace: (text) => (value[index] = text) });
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      if (!isOwn && NO_TEXTS.has(name) && !(name === "data" && value.type === "text")) continue;
      // The arguments of a tool call are named as the client likes.
      const isArguments = ARGUMENTS.has(name) && isObject(member);
      take({
        member,
        found,
        isOwn: isOwn || isArguments,
        replace: (text) => ((value as Record<string, unknown>)[name] = text),
      });
    }
  }
}

type Taken = { member: unknown; found: PlacedText[]; isOwn: boolean; replace: (text: string) => void };

function take({ member, found, isOwn, replace }: Taken): void {
  if (typeof member !== "string") collect(member, found, isOwn);
  else if (member !== "" && !/^data:[\w.+/-]{0,100}[;,]/.test(member)) found.push({ text: member, replace });
}

const ARGUMENTS: ReadonlySet<string> = new Set(["input", "arguments", "args"]);
