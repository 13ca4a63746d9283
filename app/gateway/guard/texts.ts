import { isKeptNumber } from "~/http/body/json/exact-numbers";
import { isObject } from "../dialects/wire/events/reading";
import { textOfBinary } from "./binary";

/** A text in a body, and the function that replaces it. */
export type PlacedText = { text: string; replace(text: string): void };

/** Format of a name, an id or a setting: without blanks, and of bounded length. */
export const LABEL = /^[\w.:/+=-]{0,512}$/;

const named = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.flatMap((names) => names.split(" ")));

/** Members with types and ids. A value that is not in the form of a label is checked as text. */
const LABELS = named(
  "type role id model object status index call_id item_id tool_call_id tool_use_id response_id previous_response_id",
  "media_type format detail finish_reason stop_reason system_fingerprint service_tier created created_at file_id",
);

/** Members with signed or encrypted reasoning and with generated pictures. */
const SEALS = named("signature encrypted_content b64_json partial_image_b64");
const SEAL = /^[\w+/=.:~-]*$/;

/** Members for pictures, sounds and documents, as a URL or as bytes. */
const BINARIES = named("data file_data url image_url file_url audio_url video_url image images mask audio video");

/** Members below which the client chooses the names: tool arguments and schemas. */
const OWN = named("input arguments args parameters input_schema output_schema schema properties $defs definitions");
/** Reserved words of JSON Schema: types, and member names. */
const SCHEMA_TYPES = named("object string number integer boolean array null");
const SCHEMA_NAMES = named(
  "type properties required description items enum const default title examples format pattern additionalProperties $defs",
  "definitions $ref $schema anyOf oneOf allOf minimum maximum minLength maxLength minItems maxItems nullable strict",
);

/** Returns every text inside a value. Skips binary values in the members for binaries. */
export function textsIn(value: unknown): PlacedText[] {
  const texts: PlacedText[] = [];
  collect(value, texts, { name: "", isOwn: false });
  return texts;
}

/** Location of a value: the name of its member, or of its list's, and whether the client chooses member names there. */
type Place = { name: string; isOwn: boolean };

function collect(value: unknown, texts: PlacedText[], place: Place): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      take({ member: item, holder: value, place, texts, replace: (text) => (value[index] = text) });
  } else if (isObject(value)) {
    const holder = value as Record<string, unknown>;
    for (const [name, member] of Object.entries(holder)) {
      // Log probabilities repeat the text in single tokens.
      if (name === "logprobs" && !place.isOwn && typeof member !== "string") continue;
      const slot = { name };
      const isOwn = place.isOwn || (OWN.has(name) && isObject(member));
      if (place.isOwn && name !== "" && !SCHEMA_NAMES.has(name))
        texts.push({ text: name, replace: (text) => rename(holder, slot, text) });
      take({ member, holder, place: { name, isOwn }, texts, replace: (text) => put(holder, slot.name, text) });
    }
  }
}

type Taken = { member: unknown; holder: unknown; place: Place; texts: PlacedText[]; replace: (text: string) => void };

function take({ member, holder, place, texts, replace }: Taken): void {
  const opened = typeof member === "string" && place.name === "arguments" ? escapedObject(member) : null;
  if (opened !== null) {
    const from = texts.length;
    collect(opened, texts, { name: place.name, isOwn: true });
    for (const inner of texts.slice(from)) {
      const { replace: exchange } = inner;
      inner.replace = (text) => {
        exchange(text);
        replace(JSON.stringify(opened));
      };
    }
  } else if (typeof member !== "string") collect(member, texts, place);
  else if (member !== "" && !isSkipped(member, place)) {
    const binary = !place.isOwn && BINARIES.has(place.name) && !isNamedText(holder);
    const read = binary ? textOfBinary(member, mediaTypeOf(holder)) : { text: member, written: AS_IT_IS };
    if (read !== null && read.text !== "")
      texts.push({ text: read.text, replace: (text) => replace(read.written(text)) });
  }
}

/**
 * Parses the arguments of a tool call, JSON inside a string, if they contain escaped letters: a translator for another
 * supplier would decode these letters. Null for all others, which can be checked as text.
 */
function escapedObject(text: string): object | null {
  if (!text.includes("\\u")) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

function isSkipped(member: string, { name, isOwn }: Place): boolean {
  if (isKeptNumber(member)) return true;
  if (isOwn) return name === "type" && SCHEMA_TYPES.has(member);
  if (LABELS.has(name)) return LABEL.test(member);
  return SEALS.has(name) && SEAL.test(member);
}

const AS_IT_IS = (text: string) => text;
/** `{"type": "text", "data": …}`: a document as plain text. */
const isNamedText = (holder: unknown): boolean => isObject(holder) && holder.type === "text";
const mediaTypeOf = (holder: unknown): unknown => (isObject(holder) ? holder.media_type : undefined);

/** Renames a member and keeps its position. */
function rename(holder: Record<string, unknown>, slot: { name: string }, name: string): void {
  const members = Object.entries(holder);
  for (const [each] of members) delete holder[each];
  for (const [each, value] of members) put(holder, each === slot.name ? name : each, value);
  slot.name = name;
}

/** Sets a member, including one named `__proto__`. */
function put(holder: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") holder[name] = value;
  else Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}
