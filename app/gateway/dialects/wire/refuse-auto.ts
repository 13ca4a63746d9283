import { apiError } from "~/errors/app-error";

/** The autorouter chooses among chat models only. @throws AppError unsupported_auto_mode */
export function refuseAuto(requestedModel: string): void {
  if (requestedModel !== "auto") return;
  throw apiError("unsupported_auto_mode", {
    userMessage: "The model auto is for chat, completions, messages and responses. Name a model for this endpoint.",
    param: "model",
  });
}
