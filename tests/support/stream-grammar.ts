export { chatViolations } from "./stream-grammar/chat";
export { messagesViolations } from "./stream-grammar/messages";
export { nativeViolations } from "./stream-grammar/native";
