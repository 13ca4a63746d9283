import { exactValue } from "~/http/body/json/exact-numbers";
import { unreachable } from "~/values/unreachable";
import type {
  AssistantPart,
  DocumentPart,
  ImagePart,
  TextPart,
  ToolCallPart,
  Turn,
  UserPart,
} from "../../canonical/conversation";
import { isObject } from "../wire/events/reading";
import { fitIdentifier, type ToolNames } from "../wire/identifiers";
import { mediaTypeOf } from "../wire/media/media-type";
import { mayGoTo, type ThoughtWire } from "../wire/thoughts/thoughts";
import { EmptyConversationError, unsupported } from "../wire/unsupported";

export type WireTurn = { role: "user" | "assistant"; content: Record<string, unknown>[] };

/**
 * Writes turns by the rules of this dialect: leading system text is separate, user and assistant alternate strictly, a
 * user turn is first, tool results come first in their turn, and no block is empty. `wire`: the target format, which
 * decides which thoughts are sent; null: the model accepts none.
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
  if (messages.length === 0 && system.length === 0) throw new EmptyConversationError();
  // If there is only system text, it is sent as the user's message.
  if (messages.length === 0 && system.length > 0) return { system: [], messages: [{ role: "user", content: system }] };
  if (messages[0]?.role === "assistant")
    messages.unshift({ role: "user", content: [{ type: "text", text: "(The conversation begins.)" }] });
  return { system, messages };
}

/** Returns the turn without the thoughts that the supplier would reject. */
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
      // Some suppliers of this dialect reject system text between turns, and moved to the front it would lose its
      // position.
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

/** Final user message for models that do not accept an assistant message as the last one. */
export const GO_ON = "Go on from where your answer stops.";

/** Adds a final user message, for models that reject a partial answer at the end. */
export function endWithUser(messages: WireTurn[]): void {
  const last = messages.at(-1);
  if (last?.role !== "assistant" || last.content.some(({ type }) => type === "tool_use")) return;
  messages.push({ role: "user", content: [{ type: "text", text: GO_ON }] });
}

/** Trims the end of a partial answer, which suppliers reject if it ends in white space. */
function trimEnd(last: WireTurn | undefined): void {
  if (last?.role !== "assistant") return;
  const block = last.content.at(-1);
  if (block?.type === "text") block.text = (block.text as string).trimEnd();
}

/** Skips blank texts, which suppliers reject. */
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

/** Parses arguments as an object for `exactJson`. Invalid ones are sent to the model as `invalid_arguments`. */
export function toolInput({ arguments: text }: Pick<ToolCallPart, "arguments">): unknown {
  if (text.trim() === "") return {};
  try {
    const input: unknown = exactValue(JSON.parse(text), text, { depth: 1 });
    if (isObject(input)) return input;
    if (input === null) return {};
  } catch {
    // Truncated by the output ceiling, or never valid.
  }
  return { invalid_arguments: text };
}

const IMAGES = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

function writeImage({ source, at, cacheControl }: ImagePart): Record<string, unknown> {
  if (source.kind === "url") {
    if (!/^https?:\/\//i.test(source.url)) throw unsupported(at, "Images come as https addresses or as base64 data.");
    return { type: "image", source: { type: "url", url: source.url }, ...marked(cacheControl) };
  }
  const mediaType = mediaTypeOf(source);
  if (!IMAGES.has(mediaType)) throw unsupported(at, "Images can be JPEG, PNG, GIF or WebP.");
  return {
    type: "image",
    source: { type: "base64", media_type: mediaType, data: source.data },
    ...marked(cacheControl),
  };
}

/** Media types whose bytes are text. */
const TEXTUAL =
  /^text\/|^application\/(?:json|xml|yaml|x-yaml|toml|javascript|typescript|sql|x-ndjson|jsonl)$|\+(?:json|xml)$/;

function writeDocument(part: DocumentPart): Record<string, unknown> {
  const { source, title, at, cacheControl } = part;
  if (source.kind === "base64" && mediaTypeOf(source).startsWith("image/"))
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
  const { data } = source;
  const mediaType = mediaTypeOf(source);
  if (mediaType === "application/pdf") return { type: "base64", media_type: mediaType, data };
  if (!TEXTUAL.test(mediaType)) throw unsupported(at, "Documents can be PDF or text.");
  return { type: "text", media_type: "text/plain", data: Buffer.from(data, "base64").toString("utf8") };
}

/**
 * Ids of tool calls across a conversation. Some models reuse the same id for the first call of every answer. A repeated
 * id gets a number, and so does its result.
 */
class HistoryIds {
  readonly #uses = new Map<string, number>();
  /** The new ids of calls without a result so far, by their original id. */
  readonly #open = new Map<string, string[]>();

  ofCall(id: string): string {
    const uses = (this.#uses.get(id) ?? 0) + 1;
    this.#uses.set(id, uses);
    const fittedId = fitIdentifier(uses === 1 ? id : `${id}_${uses}`, MAX_ID_LENGTH);
    const open = this.#open.get(id);
    if (open === undefined) this.#open.set(id, [fittedId]);
    else open.push(fittedId);
    return fittedId;
  }

  /** Returns the id of a result. Results of calls with the same id arrive in the order of the calls. */
  ofResult(id: string): string {
    return this.#open.get(id)?.shift() ?? fitIdentifier(id, MAX_ID_LENGTH);
  }
}

/** Maximum length of an id in this dialect. */
const MAX_ID_LENGTH = 64;
