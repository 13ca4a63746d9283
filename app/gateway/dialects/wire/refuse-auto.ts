import { refusal } from "~/errors/app-error";

/** The autorouter chooses among chat models only. @throws AppError unsupported_auto_mode */
export function refuseAuto(requestedModel: string): void {
  if (requestedModel !== "auto") return;
  throw refusal("unsupported_auto_mode", {
    human: "The model auto is for chat and messages. Name a model for this endpoint.",
    param: "model",
  });
}
