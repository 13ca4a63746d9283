import { profileOf } from "~/domain/catalogue/profiles";
import type { Route } from "~/domain/catalogue/shared";
import type { Conversation } from "../../canonical/conversation";
import type { InferenceRequest } from "../../canonical/inference-request";
import type { Usage } from "../../canonical/usage";
import { readChatAnswer } from "../chat/answer";
import { ChatStreamDecoder } from "../chat/decode-stream";
import { ChatStreamEncoder } from "../chat/encode-stream";
import type { ChatSource } from "../chat/read";
import { readChatWhole } from "../chat/read-answer";
import { writeChatAnswer } from "../chat/write-answer";
import { leftOutOfChat, writeChatRequest } from "../chat/write-request";
import type { Translator, WholeAnswer } from "../dialect";
import { parseExactMessage, readMessagesAnswer } from "../messages/answer";
import { MessagesStreamDecoder } from "../messages/decode-stream";
import { MessagesStreamEncoder } from "../messages/encode-stream";
import { DEFAULT_VERSION } from "../messages/forward";
import type { MessagesSource } from "../messages/read";
import { readMessagesWhole } from "../messages/read-answer";
import { writeMessagesAnswer } from "../messages/write-answer";
import { leftOutOfMessages, writeMessagesRequest } from "../messages/write-request";
import type { JsonObject } from "../wire/events/reading";
import { decoded, parseExactJson } from "../wire/long-texts";
import { asMessagesFailure } from "./failures";
import {
  asMessagesField,
  chatId,
  messageId,
  nowSeconds,
  parsedConversation,
  wantsThinking,
} from "./parsed-conversation";
import { translated, written } from "./shared";
import { TranslatedStream } from "./stream";

/** A translator that reads answers synchronously, because translated answers are short. */
interface Translation<Source> extends Translator<Source> {
  readAnswer(inference: InferenceRequest<Source>, body: Buffer): WholeAnswer;
}

/** Translates between a chat client and a messages-style supplier. */
export const chatToMessages: Translation<ChatSource> = {
  forward(inference, route) {
    const { conversation, names } = parsedConversation(inference);
    const { upstreamModel: model, model: known } = route;
    const of = { model, profile: profileOf(route), defaultMaxTokens: known.maxOutputTokens };
    const request = { ...of, stream: inference.stream, names };
    return written("messages", () => writeMessagesRequest(conversation, request));
  },
  leftOut: (inference, route) => leftOutOfMessages(parsedConversation(inference).conversation, profileOf(route)),
  // Later versions reject sampling parameters and add nothing that a chat client can request.
  headers: () => ({ "anthropic-version": DEFAULT_VERSION }),
  readAnswer(inference, body): WholeAnswer {
    const { names } = parsedConversation(inference);
    const { message, blocks } = parseExactMessage(body);
    return translated(() => {
      const answer = readMessagesWhole(message, blocks);
      const shown = { ...answer, id: chatId(answer.id), model: answer.model || inference.requestedModel };
      return { ...readMessagesAnswer(body), body: Buffer.from(writeChatAnswer(shown, names, nowSeconds())) };
    });
  },
  openStream: (inference) =>
    new TranslatedStream(
      new MessagesStreamDecoder(),
      new ChatStreamEncoder({
        names: parsedConversation(inference).names,
        wantsUsage: inference.source.wantsUsage,
        createdSeconds: nowSeconds(),
        idOf: chatId,
        modelOf: (model) => model || inference.requestedModel,
      }),
    ),
};

/**
 * Returns the conversation that a messages client requests from a model. A messages request without `thinking` means no
 * thoughts, and its answer shows none. A model that requires its thoughts back must therefore not think in this case.
 */
function askedByMessages(inference: InferenceRequest<MessagesSource>, route: Route): Conversation {
  const { conversation } = parsedConversation(inference);
  const { thinking, reasoning } = profileOf(route);
  if (conversation.reasoning !== null || !thinking.byDefault || !thinking.canStop) return conversation;
  return reasoning.back === "required" ? { ...conversation, reasoning: { kind: "off" } } : conversation;
}

/** Translates between a messages client and a chat-style supplier. */
export const messagesToChat: Translation<MessagesSource> = {
  forward(inference, route) {
    const { names } = parsedConversation(inference);
    const conversation = askedByMessages(inference, route);
    return written("messages", () => writeChatRequest(conversation, { route, stream: inference.stream, names }));
  },
  leftOut: (inference, route) => leftOutOfChat(askedByMessages(inference, route), route).map(asMessagesField),
  translateError: asMessagesFailure,
  readAnswer(inference, body): WholeAnswer {
    const { conversation, names } = parsedConversation(inference);
    const read = readChatAnswer(body);
    const wire = parseExactJson(decoded(body)) as JsonObject;
    return translated(() => {
      const answer = readChatWhole(wire, conversation.stopSequences);
      const shown = { ...answer, id: messageId(answer.id), model: inference.requestedModel };
      const write = (usage: Usage | null) =>
        Buffer.from(writeMessagesAnswer({ ...shown, usage }, names, wantsThinking(conversation)));
      // Answers of this dialect always contain usage.
      return { ...read, body: write(read.usage), ...(read.usage === null ? { withUsage: write } : {}) };
    });
  },
  openStream(inference) {
    const { conversation, names } = parsedConversation(inference);
    return new TranslatedStream(
      new ChatStreamDecoder(conversation.stopSequences),
      new MessagesStreamEncoder({
        names,
        showThinking: wantsThinking(conversation),
        idOf: messageId,
        model: inference.requestedModel,
      }),
    );
  },
};
