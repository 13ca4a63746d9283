import type { Capability, Model } from "~/domain/catalogue/shared";

/** The models that examples name: those of this installation, the sandbox's first because they always answer. */
export type ModelsToTry = {
  chat: string;
  messages: string;
  agent: string;
  embedding: string;
  rerank: string;
  speech: string;
  transcription: string;
  /** Whether the sandbox is here, which needs no supplier. */
  hasSandbox: boolean;
};

export function modelsToTry(models: readonly Pick<Model, "id" | "capability">[]): ModelsToTry {
  const pick = (capability: Capability, preferred: string) => {
    const ids = models.filter((model) => model.capability === capability).map(({ id }) => id);
    return ids.find((id) => id === preferred) ?? ids[0] ?? `your-${capability}-model`;
  };
  return {
    chat: pick("chat", "sandbox-chat"),
    messages: pick("chat", "sandbox-messages"),
    // Which of the others a native agent can use is for the operator to say.
    agent: models.some(({ id }) => id === "sandbox-agent") ? "sandbox-agent" : "your-native-model",
    embedding: pick("embedding", "sandbox-embed"),
    rerank: pick("rerank", "sandbox-rerank"),
    speech: pick("speech", "sandbox-tts"),
    transcription: pick("transcription", "sandbox-whisper"),
    hasSandbox: models.some(({ id }) => id === "sandbox-chat"),
  };
}

/** What a page whose examples call these models gives to its prose: `{{baseUrl}}`, and `{{chat}}` and its like. */
export const exampleParts = (baseUrl: string, { hasSandbox, ...models }: ModelsToTry) => ({
  values: { baseUrl, ...models },
  holds: { sandbox: hasSandbox },
});
