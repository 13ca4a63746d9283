export { chatViolations } from "./stream-grammar/chat";
export { messagesViolations } from "./stream-grammar/messages";
