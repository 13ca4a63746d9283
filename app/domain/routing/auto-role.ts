import type { Model } from "~/domain/catalogue/shared";
import { type Needs, whyUnfit } from "./autorouter";
import type { AutoRole } from "./shared";

/**
 * Returns which requests for `auto` may use a model. A model with an unknown ability is used only if no candidate is
 * known to have it. Null: no request, because of its capability or its setting in the catalogue.
 */
export function autoRole(model: Model): AutoRole | null {
  const needs: Needs = { tools: false, images: false, inputTokens: 0, maxOutputTokens: null };
  if (model.capability !== "chat" || whyUnfit(model, needs) !== null) return null;
  const ability = (name: "tools" | "images") =>
    whyUnfit(model, { ...needs, [name]: true }) !== null ? "no" : model[name] === true ? "yes" : "unknown";
  return { tools: ability("tools"), images: ability("images"), quality: model.quality ?? null };
}
