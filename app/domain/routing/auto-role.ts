import type { Model } from "~/domain/catalogue/shared";
import { type Needs, whyUnfit } from "./autorouter";
import type { AutoRole } from "./shared";

/**
 * Which requests for `auto` a model is a candidate for. An ability that nobody has stated counts once no candidate is known to have
 * it. Null: for none, because of what it is for or because the catalogue says so.
 */
export function autoRole(model: Model): AutoRole | null {
  const needs: Needs = { tools: false, images: false, inputTokens: 0, maxOutputTokens: null };
  if (model.capability !== "chat" || whyUnfit(model, needs) !== null) return null;
  const ability = (name: "tools" | "images") =>
    whyUnfit(model, { ...needs, [name]: true }) !== null ? "no" : model[name] === true ? "yes" : "unknown";
  return { tools: ability("tools"), images: ability("images"), quality: model.quality ?? null };
}
