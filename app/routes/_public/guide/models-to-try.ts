import type { Capability, Model } from "~/domain/catalogue/shared";

/** Models for the examples: those of this installation, preferably the sandbox's, because they always answer. */
export type ModelsToTry = {
  chat: string;
  messages: string;
  agent: string;
  embedding: string;
  rerank: string;
  speech: string;
  transcription: string;
  /** Whether the installation has the sandbox, which needs no supplier. */
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
    // Only the operator knows which other models a native agent can use.
    agent: models.some(({ id }) => id === "sandbox-agent") ? "sandbox-agent" : "your-native-model",
    embedding: pick("embedding", "sandbox-embed"),
    rerank: pick("rerank", "sandbox-rerank"),
    speech: pick("speech", "sandbox-tts"),
    transcription: pick("transcription", "sandbox-whisper"),
    hasSandbox: models.some(({ id }) => id === "sandbox-chat"),
  };
}

/** Content parts of pages with these examples: values of `{{baseUrl}}`, `{{chat}}` and the other models. */
export const exampleParts = (baseUrl: string, { hasSandbox, ...models }: ModelsToTry) => ({
  values: { baseUrl, ...models },
  holds: { sandbox: hasSandbox },
});
