import { randomUUID } from "node:crypto";
import { profileOf } from "~/domain/catalogue/profiles";
import type { Route } from "~/domain/catalogue/shared";
import type { Conversation } from "../../canonical/conversation";
import type { InferenceRequest } from "../../canonical/inference-request";
import { readChatAnswer } from "../chat/answer";
import { ChatStreamDecoder } from "../chat/decode-stream";
import { readChatWhole } from "../chat/read-answer";
import { leftOutOfChat, writeChatRequest } from "../chat/write-request";
import { type CompletionsSource, readCompletionsConversation } from "../completions/read";
import { type CompletionFrame, CompletionStreamEncoder, writeCompletion } from "../completions/write";
import type { Translator } from "../dialect";
import { parseMessage, readMessagesAnswer } from "../messages/answer";
import { MessagesStreamDecoder } from "../messages/decode-stream";
import { DEFAULT_VERSION } from "../messages/forward";
import { readMessagesWhole } from "../messages/read-answer";
import { leftOutOfMessages, writeMessagesRequest } from "../messages/write-request";
import type { JsonObject } from "../wire/events/reading";
import { ToolNames } from "../wire/identifiers";
import { decoded, parseJson } from "../wire/long-texts";
import { takesField } from "../wire/tuning";
import { MAX_NAME_LENGTH, translated } from "./shared";
import { TranslatedStream } from "./stream";

/** Translates between a completions client and a chat-style supplier. */
export const completionsToChat: Translator<CompletionsSource> = {
  forward(inference, route) {
    const { stream } = inference;
    const request = writeChatRequest(completionsConversation(inference), { route, stream, names: NO_TOOLS });
    const { body } = inference.source;
    const also = sharedBy(route)
      .filter((name) => body[name] != null)
      .map((name) => `,"${name}":${JSON.stringify(body[name])}`);
    return `${request.slice(0, -1)}${also.join("")}}`;
  },
  leftOut(inference, route) {
    const sent = sharedBy(route);
    return leftOutOfChat(completionsConversation(inference), route).filter((name) => !sent.includes(name));
  },
  readAnswer(inference, body) {
    const read = readChatAnswer(body);
    const wire = parseJson(decoded(body)) as JsonObject;
    return translated(() => {
      const answer = readChatWhole(wire, completionsConversation(inference).stopSequences);
      return { ...read, body: Buffer.from(writeCompletion(answer, frameOf(inference))) };
    });
  },
  openStream: (inference) =>
    new TranslatedStream(
      new ChatStreamDecoder(completionsConversation(inference).stopSequences),
      new CompletionStreamEncoder(frameOf(inference)),
    ),
};

/** Translates between a completions client and a messages-style supplier. */
export const completionsToMessages: Translator<CompletionsSource> = {
  forward(inference, route) {
    const { upstreamModel: model, model: known } = route;
    const of = { model, profile: profileOf(route), defaultMaxTokens: known.maxOutputTokens };
    return writeMessagesRequest(completionsConversation(inference), {
      ...of,
      stream: inference.stream,
      names: NO_TOOLS,
    });
  },
  leftOut: (inference, route) => leftOutOfMessages(completionsConversation(inference), profileOf(route)),
  headers: () => ({ "anthropic-version": DEFAULT_VERSION }),
  readAnswer(inference, body) {
    const { message, blocks } = parseMessage(body);
    return translated(() => {
      const answer = readMessagesWhole(message, blocks);
      return { ...readMessagesAnswer(body), body: Buffer.from(writeCompletion(answer, frameOf(inference))) };
    });
  },
  openStream: (inference) =>
    new TranslatedStream(new MessagesStreamDecoder(), new CompletionStreamEncoder(frameOf(inference))),
};

/** Fields of both formats that are not part of a conversation. */
const SHARED = ["frequency_penalty", "presence_penalty", "seed"] as const;

/** Returns those of them that the model of a route accepts. */
const sharedBy = (route: Route): readonly string[] =>
  SHARED.filter((name) => takesField(profileOf(route), name, { says: "nothing" }));

export const NO_TOOLS = new ToolNames([], MAX_NAME_LENGTH);

/** Parsed requests. Each request is parsed once for all attempts. */
const known = new WeakMap<InferenceRequest, Conversation>();

/** Returns a completions request as a conversation; cached per request. */
export function completionsConversation(inference: InferenceRequest<CompletionsSource>): Conversation {
  const conversation = known.get(inference) ?? readCompletionsConversation(inference.source);
  known.set(inference, conversation);
  return conversation;
}

/** Returns the frame of the answer to a completions request. */
export const frameOf = ({ source, requestedModel }: InferenceRequest<CompletionsSource>): CompletionFrame => ({
  createdSeconds: Math.floor(Date.now() / 1000),
  wantsUsage: source.wantsUsage,
  idOf: (id) => `cmpl-${id === "" ? randomUUID() : id}`,
  modelOf: (model) => model || requestedModel,
});
