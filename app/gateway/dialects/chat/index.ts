import type { Route } from "~/domain/catalogue/shared";
import { DIALECTS } from "../../canonical/dialects";
import type { InferenceRequest } from "../../canonical/inference-request";
import { hintsOf } from "../../canonical/routing-hints";
import type { Dialect, Translator } from "../dialect";
import { ceilingField } from "../wire/ceiling-field";
import { fitChatBody } from "../wire/fit-body";
import { outputCeilingOf } from "../wire/output-ceiling";
import { fieldsOmitted } from "../wire/pass-through";
import { readChatAnswer } from "./answer";
import { forwardChat } from "./forward";
import { mediaTokens, promptText } from "./prompt-text";
import { type ChatSource, readChat } from "./read";
import { ChatStreamReader } from "./stream";
import { chatTexts } from "./stream-texts";

/** The chat completions format, which the chat SDKs use. */
export const chatDialect: Dialect<ChatSource> = {
  name: "chat",
  endpoint: DIALECTS.chat.endpoint,
  streamTexts: chatTexts,
  read: readChat,
  // The chat SDKs raise their typed error only for a data event with an `error` member.
  errorEvent: ({ code, type, message, humanMessage, gatewayCode }) =>
    Buffer.from(
      `data: ${JSON.stringify({ error: { code, type, message, human_message: humanMessage, gateway_code: gatewayCode } })}\n\n`,
    ),
  promptText: (inference) => promptText(inference.source.body),
  mediaTokens: (inference) => mediaTokens(inference.source.body),
  outputCeiling: ({ source }, route) =>
    outputCeilingOf(source, ceilingField(route) === "max_tokens" ? CEILINGS : CEILINGS.toReversed()),
  hints: (inference) => hintsOf(inference.source.body),
};

const CEILINGS = ["max_completion_tokens", "max_tokens"] as const;

const fitOf = ({ source }: InferenceRequest<ChatSource>, route: Route) => fitChatBody(source.body, route);

/** Connects a chat client with a chat-style supplier: bytes pass through, except values that the model rejects. */
export const chatToChat: Translator<ChatSource> = {
  fit: fitOf,
  forward: (inference, route, fit = fitOf(inference, route)) => forwardChat(inference, route, fit),
  leftOut: (inference, route, fit = fitOf(inference, route)) => fieldsOmitted(inference, route, fit),
  readAnswer: (_ask, body) => readChatAnswer(body),
  openStream: (inference) => new ChatStreamReader(inference.source.wantsUsage),
};
