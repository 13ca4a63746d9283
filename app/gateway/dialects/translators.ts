import type { DialectName, WireName } from "../canonical/exchange";
import { chatToChat } from "./chat";
import { cohere } from "./cohere";
import { converse } from "./converse";
import type { Translator } from "./dialect";
import { embeddingsToEmbeddings } from "./embeddings";
import { gemini } from "./gemini";
import { imageEditToImageEdit, imageToImage } from "./image";
import { messagesToMessages } from "./messages";
import { moderationToModeration } from "./moderation";
import { nativeToNative } from "./native";
import { rerankToRerank } from "./rerank";
import { responsesToNative, responsesToResponses } from "./responses";
import { responsesFormat } from "./responses-format";
import { speechToSpeech } from "./speech";
import { transcriptionToTranscription } from "./transcription";
import { chatToMessages, messagesToChat } from "./translate";
import { completionsToChat, completionsToMessages } from "./translate/completions";
import { chatTo, completionsTo, messagesTo, responsesTo } from "./translate/formats";
import { responsesToChat, responsesToMessages } from "./translate/responses";

const translators: Partial<Record<`${DialectName} to ${WireName}`, Translator>> = {
  "chat to chat": chatToChat,
  "messages to messages": messagesToMessages,
  "chat to messages": chatToMessages,
  "messages to chat": messagesToChat,
  "chat to cohere": chatTo(cohere),
  "completions to cohere": completionsTo(cohere),
  "messages to cohere": messagesTo(cohere),
  "responses to cohere": responsesTo(cohere),
  "chat to converse": chatTo(converse),
  "completions to converse": completionsTo(converse),
  "messages to converse": messagesTo(converse),
  "responses to converse": responsesTo(converse),
  "chat to gemini": chatTo(gemini),
  "completions to gemini": completionsTo(gemini),
  "messages to gemini": messagesTo(gemini),
  "responses to gemini": responsesTo(gemini),
  "chat to responses": chatTo(responsesFormat),
  "completions to responses": completionsTo(responsesFormat),
  "messages to responses": messagesTo(responsesFormat),
  "native to native": nativeToNative,
  "responses to chat": responsesToChat,
  "responses to messages": responsesToMessages,
  "responses to native": responsesToNative,
  "responses to responses": responsesToResponses,
  "completions to chat": completionsToChat,
  "completions to messages": completionsToMessages,
  "embeddings to embeddings": embeddingsToEmbeddings,
  "rerank to rerank": rerankToRerank,
  "moderation to moderation": moderationToModeration,
  "image to image": imageToImage,
  "imageEdit to imageEdit": imageEditToImageEdit,
  "speech to speech": speechToSpeech,
  "transcription to transcription": transcriptionToTranscription,
  "translation to translation": transcriptionToTranscription,
};

/** Returns the translator between a client's dialect and a supplier's format; undefined if there is none. */
export const translatorFor = (client: DialectName, supplier: WireName): Translator | undefined =>
  translators[`${client} to ${supplier}`];
