import { type ModelProfile, profileOf } from "~/domain/catalogue/profiles";
import type { Route } from "~/domain/catalogue/shared";
import type { Answer, AnswerPart } from "../../canonical/answer";
import type { Conversation } from "../../canonical/conversation";
import type { Usage } from "../../canonical/usage";
import { ChatStreamEncoder } from "../chat/encode-stream";
import type { ChatSource } from "../chat/read";
import { writeChatAnswer } from "../chat/write-answer";
import type { CompletionsSource } from "../completions/read";
import { CompletionStreamEncoder, writeCompletion } from "../completions/write";
import type { Translator, WholeAnswer } from "../dialect";
import { MessagesStreamEncoder } from "../messages/encode-stream";
import type { MessagesSource } from "../messages/read";
import { writeMessagesAnswer } from "../messages/write-answer";
import { ResponsesStreamEncoder } from "../responses/encode-stream";
import type { ResponsesSource } from "../responses/read";
import { writeResponse } from "../responses/write-answer";
import type { ToolNames } from "../wire/identifiers";
import type { StreamDecoder } from "../wire/parts";
import { completionsConversation, frameOf, NO_TOOLS } from "./completions";
import { asMessagesFailure } from "./failures";
import {
  asMessagesField,
  chatId,
  messageId,
  nowSeconds,
  parsedConversation,
  wantsThinking,
} from "./parsed-conversation";
import { OWN_NAMES, understood } from "./responses";
import { translated, written } from "./shared";
import { TranslatedStream } from "./stream";

/** Input for a request in a supplier's format, besides the conversation. */
export type FormatRequest = { model: string; profile: ModelProfile; stream: boolean; names: ToolNames };

/** A wire format of suppliers only: every client dialect is translated to it and back. */
export interface SupplierFormat {
  /**
   * Returns the body of a request.
   * @throws AppError unsupported_parameter for fields that the format cannot express.
   */
  write(conversation: Conversation, request: FormatRequest): string;
  /** Returns the tuning fields that a request to this model omits; `thinking` means the thinking effort. */
  leftOut(conversation: Conversation, profile: ModelProfile): readonly string[];
  /** Reads a whole answer. @throws SupplierFailure if the body is not an answer. */
  readWhole(body: Buffer, profile?: ModelProfile): Answer;
  /** Returns a reader of one stream. */
  openParts(profile?: ModelProfile): StreamDecoder;
}

const modelOf = (route: Route) => ({ model: route.upstreamModel, profile: profileOf(route) });

/** Translates between a chat client and a supplier with its own format. */
export const chatTo = (format: SupplierFormat): Translator<ChatSource> => ({
  forward(inference, route) {
    const { conversation, names } = parsedConversation(inference);
    return written("messages", () =>
      format.write(conversation, { ...modelOf(route), stream: inference.stream, names }),
    );
  },
  leftOut: (inference, route) =>
    format
      .leftOut(parsedConversation(inference).conversation, profileOf(route))
      .map((name) => (name === "thinking" ? "reasoning_effort" : name)),
  readAnswer(inference, body, route) {
    const { names } = parsedConversation(inference);
    return translated(() => {
      const answer = format.readWhole(body, route && profileOf(route));
      const shown = { ...answer, id: chatId(answer.id), model: answer.model || inference.requestedModel };
      return wholeAnswer(answer, Buffer.from(writeChatAnswer(shown, names, nowSeconds())));
    });
  },
  openStream: (inference, route) =>
    new TranslatedStream(
      format.openParts(route && profileOf(route)),
      new ChatStreamEncoder({
        names: parsedConversation(inference).names,
        wantsUsage: inference.source.wantsUsage,
        createdSeconds: nowSeconds(),
        idOf: chatId,
        modelOf: (model) => model || inference.requestedModel,
      }),
    ),
});

/** Translates between a completions client and a supplier with its own format. */
export const completionsTo = (format: SupplierFormat): Translator<CompletionsSource> => ({
  forward: (inference, route) =>
    format.write(completionsConversation(inference), { ...modelOf(route), stream: inference.stream, names: NO_TOOLS }),
  leftOut: (inference, route) => format.leftOut(completionsConversation(inference), profileOf(route)),
  readAnswer: (inference, body, route) =>
    translated(() => {
      const answer = format.readWhole(body, route && profileOf(route));
      return wholeAnswer(answer, Buffer.from(writeCompletion(answer, frameOf(inference))));
    }),
  openStream: (inference, route) =>
    new TranslatedStream(format.openParts(route && profileOf(route)), new CompletionStreamEncoder(frameOf(inference))),
});

/** Translates between a messages client and a supplier with its own format. */
export const messagesTo = (format: SupplierFormat): Translator<MessagesSource> => ({
  forward(inference, route) {
    const { conversation, names } = parsedConversation(inference);
    return written("messages", () =>
      format.write(conversation, { ...modelOf(route), stream: inference.stream, names }),
    );
  },
  leftOut: (inference, route) =>
    format.leftOut(parsedConversation(inference).conversation, profileOf(route)).map(asMessagesField),
  translateError: asMessagesFailure,
  readAnswer(inference, body, route) {
    const { conversation, names } = parsedConversation(inference);
    return translated(() => {
      const answer = format.readWhole(body, route && profileOf(route));
      const shown = { ...answer, id: messageId(answer.id), model: inference.requestedModel };
      return statingUsage(answer, (usage) =>
        writeMessagesAnswer({ ...shown, usage }, names, wantsThinking(conversation)),
      );
    });
  },
  openStream(inference, route) {
    const { conversation, names } = parsedConversation(inference);
    return new TranslatedStream(
      format.openParts(route && profileOf(route)),
      new MessagesStreamEncoder({
        names,
        showThinking: wantsThinking(conversation),
        idOf: messageId,
        model: inference.requestedModel,
      }),
    );
  },
});

/** Translates between a responses client and a supplier with its own format. */
export const responsesTo = (format: SupplierFormat): Translator<ResponsesSource> => ({
  forward(inference, route) {
    const { conversation, frame } = understood(inference);
    const { names } = frame;
    return written("input", () => format.write(conversation, { ...modelOf(route), stream: inference.stream, names }));
  },
  leftOut: (inference, route) =>
    format.leftOut(understood(inference).conversation, profileOf(route)).map((name) => OWN_NAMES[name] ?? name),
  readAnswer(inference, body, route) {
    const { frame } = understood(inference);
    return translated(() => {
      const answer = format.readWhole(body, route && profileOf(route));
      return statingUsage(answer, (usage) => writeResponse({ ...answer, usage }, frame));
    });
  },
  openStream: (inference, route) =>
    new TranslatedStream(
      format.openParts(route && profileOf(route)),
      new ResponsesStreamEncoder(understood(inference).frame),
    ),
});

function wholeAnswer({ usage, parts }: Answer, body: Buffer): WholeAnswer {
  const pictures = parts.filter(({ kind }) => kind === "picture").length;
  return { body, usage, pictures, outputText: () => parts.map(textOf).join("") };
}

function textOf(part: AnswerPart): string {
  if (part.kind === "picture") return "";
  return part.kind === "toolCall" ? part.name + part.arguments : part.text;
}

/** Returns the answer for a client dialect whose answers always contain usage. */
function statingUsage(answer: Answer, write: (usage: Usage | null) => string): WholeAnswer {
  const withUsage = (usage: Usage | null) => Buffer.from(write(usage));
  return {
    ...wholeAnswer(answer, withUsage(answer.usage)),
    ...(answer.usage === null ? { withUsage } : {}),
  };
}
