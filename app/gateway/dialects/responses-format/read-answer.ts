import type { Answer, Stop } from "../../canonical/answer";
import type { AssistantPart, Citation } from "../../canonical/conversation";
import { readNativeUsage } from "../native/usage";
import { isObject, type JsonObject } from "../wire/events/reading";
import { answerObject, notAnAnswer } from "../wire/events/whole-json";
import { CallIds } from "../wire/identifiers";
import { atTier } from "../wire/service-tier";
import { responsesSeal } from "../wire/thoughts/thoughts";

/** Reads a whole response. @throws SupplierFailure for an unreadable body and for an error in a 200. */
export function readResponseBody(body: Buffer): Answer {
  const wire = answerObject(body);
  const { id, model, output, usage, service_tier } = wire;
  if (!Array.isArray(output)) throw notAnAnswer("the supplier's answer has no output");
  const ids = new CallIds("");
  const parts = output.filter(isObject).flatMap((item) => readItem(item, ids));
  return {
    id: textOf(id),
    model: textOf(model),
    parts,
    stop: readStop(wire, {
      hasCall: parts.some(({ kind }) => kind === "toolCall"),
      isRefusal: parts.some((part) => part.kind === "text" && part.isRefusal === true),
    }),
    usage: atTier(readNativeUsage(usage), service_tier),
  };
}

/** Reads an output item; skips those of the supplier's own tools, which other dialects cannot express. */
function readItem(item: JsonObject, ids: CallIds): AssistantPart[] {
  switch (item.type) {
    case "message":
      return (Array.isArray(item.content) ? item.content : []).filter(isObject).flatMap(readContent);
    case "reasoning": {
      const text = thoughtIn(item);
      const signature = responsesSeal(item.encrypted_content);
      return text === "" && signature === null ? [] : [{ kind: "thinking", text, signature }];
    }
    case "function_call":
      return [
        {
          kind: "toolCall",
          id: ids.next(textOf(item.call_id)),
          name: textOf(item.name),
          arguments: textOf(item.arguments) || "{}",
        },
      ];
    default:
      return [];
  }
}

function readContent({ type, text, refusal, annotations }: JsonObject): AssistantPart[] {
  if (type === "refusal") return [{ kind: "text", text: textOf(refusal), isRefusal: true }];
  if (type !== "output_text") return [];
  const citations = (Array.isArray(annotations) ? annotations : []).flatMap((each) => readCitation(each) ?? []);
  return [{ kind: "text", text: textOf(text), ...(citations.length === 0 ? {} : { citations }) }];
}

/** Reads the web page that an annotation cites; null for other annotations. */
export function readCitation(annotation: unknown): Citation | null {
  if (!isObject(annotation) || annotation.type !== "url_citation") return null;
  const { url, title, start_index, end_index } = annotation;
  return { url: textOf(url), title: textOf(title), start: Number(start_index ?? 0), end: Number(end_index ?? 0) };
}

/** Returns the text of a thought: its summary and, if the supplier shows it, its content. */
export function thoughtIn({ summary, content }: JsonObject): string {
  const texts = (list: unknown) => (Array.isArray(list) ? list : []).filter(isObject).map(({ text }) => textOf(text));
  return [...texts(summary), ...texts(content)].filter((text) => text !== "").join("\n\n");
}

/** Returns why a response ended. */
export function readStop(
  { incomplete_details }: JsonObject,
  { hasCall, isRefusal }: { hasCall: boolean; isRefusal: boolean },
): Stop {
  const reason = isObject(incomplete_details) ? incomplete_details.reason : null;
  if (reason === "max_output_tokens") return { reason: "length", sequence: null };
  if (reason === "content_filter" || isRefusal) return { reason: "refusal", sequence: null };
  return { reason: hasCall ? "toolCalls" : "end", sequence: null };
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
