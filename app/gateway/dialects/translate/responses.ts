import { randomUUID } from "node:crypto";
import { profileOf } from "~/domain/catalogue/profiles";
import { exactValue } from "~/http/body/exact-numbers";
import type { InferenceRequest } from "../../canonical/inference-request";
import type { Usage } from "../../canonical/usage";
import { readChatAnswer } from "../chat/answer";
import { ChatStreamDecoder } from "../chat/decode-stream";
import { readChatWhole } from "../chat/read-answer";
import { leftOutOfChat, writeChatRequest } from "../chat/write-request";
import type { Translator, WholeAnswer } from "../dialect";
import { parseExactMessage, readMessagesAnswer } from "../messages/answer";
import { MessagesStreamDecoder } from "../messages/decode-stream";
import { DEFAULT_VERSION } from "../messages/forward";
import { readMessagesWhole } from "../messages/read-answer";
import { leftOutOfMessages, writeMessagesRequest } from "../messages/write-request";
import { ResponsesStreamEncoder } from "../responses/encode-stream";
import type { ResponsesSource } from "../responses/read";
import { type ResponsesConversation, readResponsesConversation } from "../responses/read-conversation";
import type { ResponseFrame } from "../responses/response";
import { writeResponse } from "../responses/write-answer";
import type { JsonObject } from "../wire/events/reading";
import { ToolNames } from "../wire/identifiers";
import { decoded, parseExactJson } from "../wire/long-texts";
import { MAX_NAME_LENGTH, namesIn, translated, written } from "./shared";
import { TranslatedStream } from "./stream";

/** Translates between a responses client and a chat-style supplier. */
export const responsesToChat: Translator<ResponsesSource> = {
  forward(inference, route) {
    const { conversation, frame } = understood(inference);
    const { stream } = inference;
    return written("input", () => writeChatRequest(conversation, { route, stream, names: frame.names }));
  },
  leftOut: (inference, route) =>
    leftOutOfChat(understood(inference).conversation, route).map((name) => OWN_NAMES[name] ?? name),
  readAnswer(inference, body): WholeAnswer {
    const { frame } = understood(inference);
    const read = readChatAnswer(body);
    const wire = parseExactJson(decoded(body)) as JsonObject;
    return translated(() => {
      const answer = readChatWhole(wire, []);
      const write = (usage: Usage | null) => Buffer.from(writeResponse({ ...answer, usage }, frame));
      return { ...read, body: write(read.usage), ...(read.usage === null ? { withUsage: write } : {}) };
    });
  },
  openStream: (inference) =>
    new TranslatedStream(new ChatStreamDecoder([]), new ResponsesStreamEncoder(understood(inference).frame)),
};

/** Translates between a responses client and a messages-style supplier. */
export const responsesToMessages: Translator<ResponsesSource> = {
  forward(inference, route) {
    const { conversation, frame } = understood(inference);
    const { upstreamModel: model, model: known } = route;
    const of = { model, profile: profileOf(route), defaultMaxTokens: known.maxOutputTokens };
    return written("input", () =>
      writeMessagesRequest(conversation, { ...of, stream: inference.stream, names: frame.names }),
    );
  },
  headers: () => ({ "anthropic-version": DEFAULT_VERSION }),
  leftOut: (inference, route) =>
    leftOutOfMessages(understood(inference).conversation, profileOf(route)).map((name) => OWN_NAMES[name] ?? name),
  readAnswer(inference, body): WholeAnswer {
    const { frame } = understood(inference);
    const { message, blocks } = parseExactMessage(body);
    return translated(() => {
      const answer = readMessagesWhole(message, blocks);
      const read = readMessagesAnswer(body);
      const write = (usage: Usage | null) => Buffer.from(writeResponse({ ...answer, usage }, frame));
      return { ...read, body: write(read.usage), ...(read.usage === null ? { withUsage: write } : {}) };
    });
  },
  openStream: (inference) =>
    new TranslatedStream(new MessagesStreamDecoder(), new ResponsesStreamEncoder(understood(inference).frame)),
};

/** Names of omitted fields in this dialect. */
export const OWN_NAMES: Readonly<Record<string, string>> = {
  thinking: "reasoning.effort",
  response_format: "text.format",
};

type Understood = ResponsesConversation & { frame: ResponseFrame };

/** Parsed requests. Each request is parsed once for all attempts; its answer has the same id for every supplier. */
const known = new WeakMap<InferenceRequest, Understood>();

/** Returns a responses request as a conversation, with the frame of its answer; cached per request. */
export function understood(inference: InferenceRequest<ResponsesSource>): Understood {
  const before = known.get(inference);
  if (before !== undefined) return before;
  const { body: given, text } = inference.source;
  const body = exactValue(given, text);
  const read = readResponsesConversation(body);
  const frame: ResponseFrame = {
    id: `resp_${randomUUID().replaceAll("-", "")}`,
    createdSeconds: Math.floor(Date.now() / 1000),
    body,
    names: new ToolNames(namesIn(read.conversation), MAX_NAME_LENGTH),
    clientTools: read.clientTools,
    modelOf: (model) => model || inference.requestedModel,
  };
  const now = { ...read, frame };
  known.set(inference, now);
  return now;
}
