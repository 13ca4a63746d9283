export {
  deleteConversation,
  exportConversations,
  listConversations,
  purgeConversations,
  readConversation,
} from "./conversations";
export { keepTurn } from "./keep-turn";
export { changeConversationSettings } from "./settings";
