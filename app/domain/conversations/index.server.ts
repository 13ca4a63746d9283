export {
  deleteConversation,
  exportConversations,
  listConversations,
  mayReadTurn,
  purgeConversations,
  readConversation,
  readTurn,
} from "./conversations";
export { saveTurn } from "./keep-turn";
export { changeConversationSettings } from "./settings";
