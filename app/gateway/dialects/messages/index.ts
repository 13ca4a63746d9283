import { hintsOf } from "../../canonical/routing-hints";
import type { Dialect, Translator } from "../dialect";
import { fitMessagesBody } from "../wire/fit-body";
import { leftOutBy } from "../wire/pass-through";
import { readMessagesAnswer } from "./answer";
import { errorEvent } from "./error-event";
import { forwardedHeaders, forwardMessages } from "./forward";
import { outputCeiling } from "./output-ceiling";
import { mediaTokens, promptText } from "./prompt-text";
import { type MessagesSource, readMessages } from "./read";
import { MessagesStreamReader } from "./stream";

/** The messages format: what the messages SDKs and their coding agents send and read. */
export const messagesDialect: Dialect = {
  name: "messages",
  endpoint: "messages",
  read: readMessages,
  errorEvent,
  // This dialect has an event of its own for it, and its clients look for events and not for bytes.
  heartbeat: Buffer.from('event: ping\ndata: {"type":"ping"}\n\n'),
  promptText: (inference) => promptText((inference.source as MessagesSource).body),
  mediaTokens: (inference) => mediaTokens((inference.source as MessagesSource).body),
  outputCeiling: ({ source }) => outputCeiling(source as MessagesSource),
  hints: (inference) => hintsOf((inference.source as MessagesSource).body),
};

/** A messages client and a messages-style supplier: bytes pass through. */
export const messagesToMessages: Translator = {
  forward: forwardMessages,
  headers: forwardedHeaders,
  leftOut: leftOutBy(fitMessagesBody),
  readAnswer: (_ask, body) => readMessagesAnswer(body),
  openStream: () => new MessagesStreamReader(),
};
