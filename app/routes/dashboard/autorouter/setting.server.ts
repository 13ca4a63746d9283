import { catalogue } from "~/domain/catalogue/index.server";
import type { AutorouterSetting } from "~/domain/keys/shared";
import { apiError } from "~/errors/app-error";

/** The chat models that a request can be compared with, by name. */
export const chatModels = (): string[] =>
  [...catalogue().models.values()]
    .filter(({ capability, auto }) => capability === "chat" && auto !== false)
    .map(({ id }) => id)
    .toSorted();

/** What a form sets. @throws AppError invalid_input for a default model that is no chat model here. */
export function settingOf(form: { autorouter: string; default_model: string }): AutorouterSetting {
  const { autorouter, default_model: defaultModel } = form;
  if (defaultModel !== "" && catalogue().models.get(defaultModel)?.capability !== "chat")
    throw apiError("invalid_input", { key: "rejections:noChatModel", param: "default_model" });
  return { autorouter: autorouter || null, autorouterDefault: defaultModel || null };
}

/** A setting as programs get it. */
export const settingAnswer = ({ autorouter, autorouterDefault }: AutorouterSetting) => ({
  autorouter,
  default_model: autorouterDefault,
});
