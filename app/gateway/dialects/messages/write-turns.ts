import { exactValue } from "~/http/exact-numbers";
import { unreachable } from "~/unreachable";
import type {
  AssistantPart,
  DocumentPart,
  ImagePart,
  TextPart,
  ToolCallPart,
  Turn,
  UserPart,
} from "../../canonical/conversation";
import { fitIdentifier, type ToolNames } from "../wire/identifiers";
import { isObject } from "../wire/reading";
import { mayGoTo, type ThoughtWire } from "../wire/thoughts";
import { NothingSaid, unsupported } from "../wire/unsupported";

export type WireTurn = { role: "user" | "assistant"; content: Record<string, unknown>[] };

/**
 * Turns as this dialect has them: what the system says first apart from the rest, then user and assistant in strict
 * alternation, a user first, tool results before everything else in their turn, and no empty block. `wire`: the format that the
 * blocks are for, which decides about thoughts; null: the model takes none back.
 */
export function writeTurns(
  turns: readonly Turn[],
  names: ToolNames,
  wire: ThoughtWire | null = "messages",
): { system: Record<string, unknown>[]; messages: WireTurn[] } {
  const leading = turns.findIndex(({ role }) => role !== "system");
  const first = leading < 0 ? turns.length : leading;
  const system = turns.slice(0, first).flatMap(({ parts }) => (parts as readonly TextPart[]).flatMap(writeText));
  const messages: WireTurn[] = [];
  const ids = new HistoryIds();
  for (const turn of turns.slice(first)) append(messages, writeTurn(withThoughtsFor(wire, turn), names, ids));
  for (const message of messages) if (message.role === "user") message.content = resultsFirst(message.content);
  trimEnd(messages.at(-1));
  if (messages.length === 0 && system.length === 0) throw new NothingSaid();
  // A conversation of system text alone is a request to answer that text.
  if (messages.length === 0 && system.length > 0) return { system: [], messages: [{ role: "user", content: system }] };
  if (messages[0]?.role === "assistant")
    messages.unshift({ role: "user", content: [{ type: "text", text: "(The conversation begins.)" }] });
  return { system, messages };
}

/** The turn without the thoughts that the supplier would refuse. */
function withThoughtsFor(wire: ThoughtWire | null, turn: Turn): Turn {
  if (turn.role !== "assistant") return turn;
  const isTaken = (part: AssistantPart) => part.kind !== "thinking" || (wire !== null && mayGoTo(wire, part.signature));
  return { ...turn, parts: turn.parts.filter(isTaken) };
}

function writeTurn(turn: Turn, names: ToolNames, ids: HistoryIds): WireTurn {
  switch (turn.role) {
    case "assistant":
      return { role: "assistant", content: turn.parts.flatMap((part) => writeAssistantPart(part, names, ids)) };
    case "user":
      return { role: "user", content: turn.parts.flatMap((part) => writeUserPart(part, ids)) };
    case "system":
      // Not every supplier of this dialect takes system text between turns, and moved to the front it would lose its place.
      return { role: "user", content: turn.parts.flatMap(writeText).map(asSystem) };
    default:
      return unreachable(turn);
  }
}

const asSystem = (block: Record<string, unknown>) => ({ ...block, text: `<system>\n${block.text}\n</system>` });

function append(messages: WireTurn[], turn: WireTurn): void {
  if (turn.content.length === 0) return;
  const last = messages.at(-1);
  if (last?.role === turn.role) last.content.push(...turn.content);
  else messages.push(turn);
}

function resultsFirst(content: WireTurn["content"]): WireTurn["content"] {
  const isResult = (block: Record<string, unknown>) => block.type === "tool_result";
  return [...content.filter(isResult), ...content.filter((block) => !isResult(block))];
}

/** What the user says where a model is to go on with its last answer and takes no answer as the last word. */
export const GO_ON = "Go on from where your answer stops.";

/** Gives the user the last word, for models that refuse the beginning of an answer. */
export function endWithUser(messages: WireTurn[]): void {
  const last = messages.at(-1);
  if (last?.role !== "assistant" || last.content.some(({ type }) => type === "tool_use")) return;
  messages.push({ role: "user", content: [{ type: "text", text: GO_ON }] });
}

/** The beginning of an answer that the model is to go on with may not end in white space. */
function trimEnd(last: WireTurn | undefined): void {
  if (last?.role !== "assistant") return;
  const block = last.content.at(-1);
  if (block?.type === "text") block.text = (block.text as string).trimEnd();
}

/** A text of white space alone is refused by suppliers, and says nothing. */
function writeText({ text, cacheControl }: TextPart): Record<string, unknown>[] {
  return text.trim() === "" ? [] : [{ type: "text", text, ...marked(cacheControl) }];
}

const marked = (cacheControl: unknown) => (cacheControl === undefined ? {} : { cache_control: cacheControl });

function writeUserPart(part: UserPart, ids: HistoryIds): Record<string, unknown>[] {
  switch (part.kind) {
    case "text":
      return writeText(part);
    case "image":
      return [writeImage(part)];
    case "document":
      return [writeDocument(part)];
    case "toolResult": {
      const content = part.parts.flatMap((inner) => writeUserPart(inner, ids));
      const [only] = content;
      const plain = content.length === 1 && only?.type === "text" && only.cache_control === undefined;
      return [
        {
          type: "tool_result",
          tool_use_id: ids.ofResult(part.callId),
          ...(content.length === 0 ? {} : { content: plain ? only.text : content }),
          ...(part.isError ? { is_error: true } : {}),
          ...marked(part.cacheControl),
        },
      ];
    }
    default:
      return unreachable(part);
  }
}

function writeAssistantPart(part: AssistantPart, names: ToolNames, ids: HistoryIds): Record<string, unknown>[] {
  switch (part.kind) {
    case "text":
      return writeText(part);
    case "thinking":
      if (part.isRedacted) return [{ type: "redacted_thinking", data: part.signature }];
      return [{ type: "thinking", thinking: part.text, signature: part.signature }];
    case "toolCall":
      return [
        {
          type: "tool_use",
          id: ids.ofCall(part.id),
          name: names.fit(part.name),
          input: toolInput(part),
          ...marked(part.cacheControl),
        },
      ];
    default:
      return unreachable(part);
  }
}

/** Arguments as an object, for `exactJson` to write. What is not one is kept under a name that tells the model what was wrong with it. */
export function toolInput({ arguments: text }: Pick<ToolCallPart, "arguments">): unknown {
  if (text.trim() === "") return {};
  try {
    const input: unknown = exactValue(JSON.parse(text), text, { depth: 1 });
    if (isObject(input)) return input;
    if (input === null) return {};
  } catch {
    // Broken off by the answer's ceiling, or never right.
  }
  return { invalid_arguments: text };
}

const IMAGES = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

function writeImage({ source, at, cacheControl }: ImagePart): Record<string, unknown> {
  if (source.kind === "url") {
    if (!/^https?:\/\//i.test(source.url)) throw unsupported(at, "Images come as https addresses or as base64 data.");
    return { type: "image", source: { type: "url", url: source.url }, ...marked(cacheControl) };
  }
  const mediaType = source.mediaType === "image/jpg" ? "image/jpeg" : source.mediaType;
  if (!IMAGES.has(mediaType)) throw unsupported(at, "Images can be JPEG, PNG, GIF or WebP.");
  return {
    type: "image",
    source: { type: "base64", media_type: mediaType, data: source.data },
    ...marked(cacheControl),
  };
}

function writeDocument(part: DocumentPart): Record<string, unknown> {
  const { source, title, at, cacheControl } = part;
  if (source.kind === "base64" && source.mediaType.startsWith("image/"))
    return writeImage({ kind: "image", source, at, cacheControl });
  return {
    type: "document",
    source: documentSource(part),
    ...(title === null ? {} : { title }),
    ...marked(cacheControl),
  };
}

function documentSource({ source, at }: DocumentPart): object {
  if (source.kind === "url") return { type: "url", url: source.url };
  if (source.kind === "text") return { type: "text", media_type: "text/plain", data: source.text };
  const { mediaType, data } = source;
  if (mediaType === "application/pdf") return { type: "base64", media_type: mediaType, data };
  if (!mediaType.startsWith("text/")) throw unsupported(at, "Documents can be PDF or text.");
  return { type: "text", media_type: "text/plain", data: Buffer.from(data, "base64").toString("utf8") };
}

/**
 * Ids of tool calls across a conversation. Some models give every first call of an answer the same id; here a later one
 * gets a number, and the results behind it go with it.
 */
class HistoryIds {
  readonly #uses = new Map<string, number>();

  ofCall(id: string): string {
    this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1);
    return this.ofResult(id);
  }

  ofResult(id: string): string {
    const uses = this.#uses.get(id) ?? 1;
    return fitIdentifier(uses === 1 ? id : `${id}_${uses}`, MAX_ID_LENGTH);
  }
}

/** What suppliers of this dialect take. */
const MAX_ID_LENGTH = 64;
