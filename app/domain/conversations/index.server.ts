export {
  deleteConversation,
  exportConversations,
  listConversations,
  purgeConversations,
  readConversation,
} from "./conversations";
export { saveTurn } from "./keep-turn";
export { changeConversationSettings } from "./settings";
