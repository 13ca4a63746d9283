import type { DialectName, WireName } from "../canonical/exchange";
import { chatToChat } from "./chat";
import type { Translator } from "./dialect";
import { embeddingsToEmbeddings } from "./embeddings";
import { imageEditToImageEdit, imageToImage } from "./image";
import { messagesToMessages } from "./messages";
import { moderationToModeration } from "./moderation";
import { nativeToNative } from "./native";
import { rerankToRerank } from "./rerank";
import { responsesToNative, responsesToResponses } from "./responses";
import { speechToSpeech } from "./speech";
import { transcriptionToTranscription } from "./transcription";
import { TRANSLATIONS } from "./translate";

/** Connections between a client and a supplier of the same dialect; null: every supplier has another one. */
const PASSED_THROUGH: Readonly<Record<DialectName, Translator | null>> = {
  chat: chatToChat,
  completions: null,
  messages: messagesToMessages,
  responses: responsesToResponses,
  native: nativeToNative,
  embeddings: embeddingsToEmbeddings,
  rerank: rerankToRerank,
  moderation: moderationToModeration,
  image: imageToImage,
  imageEdit: imageEditToImageEdit,
  speech: speechToSpeech,
  transcription: transcriptionToTranscription,
  translation: transcriptionToTranscription,
};

/** Returns the translator between a client's dialect and a supplier's format; undefined if there is none. */
export function translatorFor(client: DialectName, supplier: WireName): Translator | undefined {
  if (client === supplier) return PASSED_THROUGH[client] ?? undefined;
  if (client === "responses" && supplier === "native") return responsesToNative;
  return TRANSLATIONS[`${client} to ${supplier}`];
}
