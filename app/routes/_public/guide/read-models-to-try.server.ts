import { catalogue } from "~/domain/catalogue/index.server";
import { modelToTry } from "~/domain/routing/index.server";
import { type ModelsToTry, modelsToTry } from "./models-to-try";

/** The models that the public examples name: of those that take conversations, ones that answer at this moment. */
export function readModelsToTry(): ModelsToTry {
  const named = modelsToTry([...catalogue().models.values()]);
  return {
    ...named,
    chat: modelToTry() ?? named.chat,
    messages: modelToTry(undefined, { preferred: "sandbox-messages" }) ?? named.messages,
    agent: modelToTry(undefined, { preferred: "sandbox-agent", native: true }) ?? named.agent,
  };
}
