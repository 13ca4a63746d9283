import { catalogue } from "~/domain/catalogue/index.server";
import { modelToTry } from "~/domain/routing/index.server";
import { type ModelsToTry, modelsToTry } from "./models-to-try";

/** Models for the public examples: conversation models must be answering at the moment. */
export function readModelsToTry(): ModelsToTry {
  const named = modelsToTry([...catalogue().models.values()]);
  return {
    ...named,
    chat: modelToTry() ?? named.chat,
    messages: modelToTry(undefined, { preferred: "sandbox-messages" }) ?? named.messages,
    agent: modelToTry(undefined, { preferred: "sandbox-agent", native: true }) ?? named.agent,
  };
}
