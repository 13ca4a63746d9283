import { hintsOf } from "../../canonical/routing-hints";
import type { Dialect, Passage } from "../dialect";
import { readChatAnswer } from "./answer";
import { forwardChat } from "./forward";
import { mediaTokens, promptText } from "./prompt-text";
import { type ChatSource, readChat } from "./read";
import { ChatStreamReader } from "./stream";

/** The chat completions format: what the chat SDKs send and read. */
export const chatDialect: Dialect = {
  name: "chat",
  endpoint: "chat/completions",
  read: readChat,
  // The chat SDKs raise their typed error for a data event with an `error` member, and for nothing else.
  errorEvent: ({ code, type, message, humanMessage }) =>
    Buffer.from(`data: ${JSON.stringify({ error: { code, type, message, human_message: humanMessage } })}\n\n`),
  promptText: (ask) => promptText((ask.source as ChatSource).body),
  mediaTokens: (ask) => mediaTokens((ask.source as ChatSource).body),
  hints: (ask) => hintsOf((ask.source as ChatSource).body),
};

/** A chat client and a chat-style supplier: bytes pass through. */
export const chatToChat: Passage = {
  forward: forwardChat,
  readAnswer: (_ask, body) => readChatAnswer(body),
  openStream: (ask) => new ChatStreamReader((ask.source as ChatSource).wantsUsage),
};
