import { catalogue } from "~/domain/catalogue/index.server";
import type { AutorouterSetting } from "~/domain/keys/shared";
import { apiError } from "~/errors/app-error";

/** Returns the chat models that can be a default model, by id. */
export const chatModels = (): string[] =>
  [...catalogue().models.values()]
    .filter(({ capability, auto }) => capability === "chat" && auto !== false)
    .map(({ id }) => id)
    .toSorted();

/**
 * Returns the setting of a form.
 * @throws AppError invalid_input for a default model that is not a chat model of this installation
 */
export function settingOf(form: { autorouter: string; default_model: string }): AutorouterSetting {
  const { autorouter, default_model: defaultModel } = form;
  if (defaultModel !== "" && catalogue().models.get(defaultModel)?.capability !== "chat")
    throw apiError("invalid_input", { key: "rejections:noChatModel", param: "default_model" });
  return { autorouter: autorouter || null, autorouterDefault: defaultModel || null };
}

/** Converts a setting for programs. */
export const settingAnswer = ({ autorouter, autorouterDefault }: AutorouterSetting) => ({
  autorouter,
  default_model: autorouterDefault,
});
