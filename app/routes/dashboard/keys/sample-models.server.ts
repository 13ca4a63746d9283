import { modelToTry } from "~/domain/routing/index.server";
import type { SampleModels } from "./samples";

/** The models that the samples for a key name: those that answer when they are pasted. Without a key: as any key has it. */
export const sampleModels = (key?: Parameters<typeof modelToTry>[0]): SampleModels => ({
  chat: modelToTry(key),
  messages: modelToTry(key, { preferred: "sandbox-messages" }),
  native: modelToTry(key, { preferred: "sandbox-agent", native: true }),
});
