import { apiError } from "~/errors/app-error";
import type { InferenceRequest } from "../../canonical/inference-request";
import { isObject, type JsonObject } from "./events/reading";

/**
 * The ids of tool calls and tool results in a conversation, in their order; "compacted" marks a summarised beginning.
 */
type Exchange = { called: string } | { result: string; at: string; kind: string } | "compacted";

/**
 * Rejects a conversation with a tool result whose call is missing; suppliers of these formats reject it as well. If the
 * beginning is compacted or stored by the supplier, the call may be there, so such a conversation passes.
 * @throws AppError invalid_request
 */
export function refuseUncalled({ dialect, source }: Pick<InferenceRequest, "dialect" | "source">): void {
  const read = EXCHANGES[dialect];
  if (read !== undefined) refuseAmong(read((source as { body: JsonObject }).body));
}

/**
 * Same check for a chat request that is translated. An untranslated chat request is not checked: some suppliers accept
 * a conversation without its beginning, and clients that truncate history rely on that.
 * @throws AppError invalid_request
 */
export const refuseUncalledChat = (body: JsonObject): void => refuseAmong(exchangesOfMessages(body));

function refuseAmong(exchanges: Iterable<Exchange>): void {
  const called = new Set<string>();
  for (const each of exchanges) {
    if (each === "compacted") return;
    if ("called" in each) called.add(each.called);
    else if (!called.has(each.result)) throw uncalled(each);
  }
}

const EXCHANGES: Partial<Record<InferenceRequest["dialect"], (body: JsonObject) => Iterable<Exchange>>> = {
  responses: exchangesOfItems,
  messages: exchangesOfBlocks,
};

const RESULT = /^(.+_call|tool_search)_output$/;

function* exchangesOfItems({ input }: JsonObject): Iterable<Exchange> {
  for (const item of input as readonly unknown[]) {
    if (!isObject(item) || typeof item.type !== "string") continue;
    const { type, call_id } = item;
    if (type.includes("compaction")) yield "compacted";
    if (typeof call_id !== "string") continue;
    const result = RESULT.exec(type);
    if (result === null) yield { called: call_id };
    else yield { result: call_id, at: "input", kind: `${String(result[1]).replaceAll("_", " ")} output with call_id` };
  }
}

function* exchangesOfBlocks({ messages, thread }: JsonObject): Iterable<Exchange> {
  if (thread != null) return;
  for (const [index, { content }] of (messages as readonly { content: unknown }[]).entries()) {
    if (!Array.isArray(content)) continue;
    for (const [place, block] of (content as JsonObject[]).entries()) {
      const { type, id, tool_use_id } = block;
      if (type === "compaction") yield "compacted";
      if (type === "tool_use" && typeof id === "string") yield { called: id };
      if (type !== "tool_result" || typeof tool_use_id !== "string") continue;
      yield { result: tool_use_id, at: `messages[${index}].content[${place}]`, kind: "tool_result with tool_use_id" };
    }
  }
}

function* exchangesOfMessages({ messages }: JsonObject): Iterable<Exchange> {
  for (const [index, message] of (messages as readonly JsonObject[]).entries()) {
    const { role, tool_calls, tool_call_id } = message;
    if (role === "assistant" && Array.isArray(tool_calls))
      for (const call of tool_calls) if (isObject(call) && typeof call.id === "string") yield { called: call.id };
    if (role === "tool" && typeof tool_call_id === "string")
      yield { result: tool_call_id, at: `messages[${index}].tool_call_id`, kind: "tool message with tool_call_id" };
  }
}

const uncalled = ({ result, at, kind }: { result: string; at: string; kind: string }) =>
  apiError("invalid_request", {
    userMessage: `No tool call found for ${kind} ${result.slice(0, 100)}.`,
    param: at,
  });
