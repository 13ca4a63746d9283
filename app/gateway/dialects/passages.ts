import type { DialectName } from "../canonical/exchange";
import { chatToChat } from "./chat";
import type { Passage } from "./dialect";
import { embeddingsToEmbeddings } from "./embeddings";
import { messagesToMessages } from "./messages";
import { nativeToNative } from "./native";
import { rerankToRerank } from "./rerank";
import { speechToSpeech } from "./speech";
import { transcriptionToTranscription } from "./transcription";
import { chatToMessages, messagesToChat } from "./translate";

const passages: Partial<Record<`${DialectName} to ${DialectName}`, Passage>> = {
  "chat to chat": chatToChat,
  "messages to messages": messagesToMessages,
  "chat to messages": chatToMessages,
  "messages to chat": messagesToChat,
  "native to native": nativeToNative,
  "embeddings to embeddings": embeddingsToEmbeddings,
  "rerank to rerank": rerankToRerank,
  "speech to speech": speechToSpeech,
  "transcription to transcription": transcriptionToTranscription,
};

/** The way from a client's dialect to a supplier's; undefined where there is none. */
export const passageBetween = (client: DialectName, supplier: DialectName): Passage | undefined =>
  passages[`${client} to ${supplier}`];
