import type { Route } from "~/domain/catalogue/shared";
import { DIALECTS } from "../../canonical/dialects";
import type { InferenceRequest } from "../../canonical/inference-request";
import { hintsOf } from "../../canonical/routing-hints";
import type { Dialect, Translator } from "../dialect";
import { fitMessagesBody } from "../wire/fit-body";
import { fieldsOmitted } from "../wire/pass-through";
import { readMessagesAnswer } from "./answer";
import { errorEvent } from "./error-event";
import { forwardedHeaders, forwardMessages } from "./forward";
import { outputCeiling } from "./output-ceiling";
import { mediaTokens, promptText } from "./prompt-text";
import { type MessagesSource, readMessages } from "./read";
import { MessagesStreamReader } from "./stream";
import { messagesTexts } from "./stream-texts";

/** The messages format, which the messages SDKs and their coding agents use. */
export const messagesDialect: Dialect<MessagesSource> = {
  name: "messages",
  endpoint: DIALECTS.messages.endpoint,
  streamTexts: messagesTexts,
  read: readMessages,
  errorEvent,
  // This dialect defines a ping event, and its clients wait for events, not for bytes.
  heartbeat: Buffer.from('event: ping\ndata: {"type":"ping"}\n\n'),
  promptText: (inference) => promptText(inference.source.body),
  mediaTokens: (inference) => mediaTokens(inference.source.body),
  outputCeiling: ({ source }) => outputCeiling(source),
  hints: (inference) => hintsOf(inference.source.body),
};

const fitOf = ({ source }: InferenceRequest<MessagesSource>, route: Route) => fitMessagesBody(source.body, route);

/** Connects a messages client with a messages-style supplier: bytes pass through. */
export const messagesToMessages: Translator<MessagesSource> = {
  fit: fitOf,
  forward: (inference, route, fit = fitOf(inference, route)) => forwardMessages(inference, route, fit),
  headers: forwardedHeaders,
  leftOut: (inference, route, fit = fitOf(inference, route)) => fieldsOmitted(inference, route, fit),
  readAnswer: (_ask, body) => readMessagesAnswer(body),
  openStream: () => new MessagesStreamReader(),
};
