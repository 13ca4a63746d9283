import { apiError } from "~/errors/app-error";

/**
 * Rejects the model `auto`, because the autorouter chooses only among chat models.
 * @throws AppError unsupported_auto_mode
 */
export function refuseAuto(requestedModel: string): void {
  if (requestedModel !== "auto") return;
  throw apiError("unsupported_auto_mode", {
    userMessage: "The model auto is for chat, completions, messages and responses. Name a model for this endpoint.",
    param: "model",
  });
}
