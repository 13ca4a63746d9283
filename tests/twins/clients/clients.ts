import { ChatConversation } from "./chat";
import type { Conversation, Place } from "./client";
import { MessagesConversation } from "./messages";
import { ResponsesConversation } from "./responses";

export type ClientName = "chat" | "messages" | "responses";

const CLIENTS = { chat: ChatConversation, messages: MessagesConversation, responses: ResponsesConversation } as const;

export const CLIENT_NAMES = Object.keys(CLIENTS) as readonly ClientName[];

export const converse = (client: ClientName, place: Place): Conversation => new CLIENTS[client](place);
