import { chatFormat } from "../../chat/format";
import { messagesFormat } from "../../messages/format";
import { translatorBetween } from "../formats";
import { responsesClient } from "../responses";

export const responsesToChat = translatorBetween(responsesClient, chatFormat);
export const responsesToMessages = translatorBetween(responsesClient, messagesFormat);
