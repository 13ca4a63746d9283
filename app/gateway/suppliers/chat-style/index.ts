import { chatApi } from "../toolkit/chat-api";

/** Any supplier with a chat completions API. */
export const chatStyle = chatApi({ kind: "chat" });
