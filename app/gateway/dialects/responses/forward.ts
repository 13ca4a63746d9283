import { profileOf } from "~/domain/catalogue/profiles";
import type { Route } from "~/domain/catalogue/shared";
import { exactJson, exactMember } from "~/http/body/json/exact-numbers";
import { editMembers } from "~/http/body/json/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import { unpricedToolEdits } from "../wire/billed-tools";
import { ownFieldEdits } from "../wire/body-checks";
import { isObject, type JsonObject } from "../wire/events/reading";
import { editsOf, fitResponsesBody } from "../wire/fit-body";
import type { BodyFit } from "../wire/fit-members";
import { isSealedHere } from "../wire/thoughts/sealed-thoughts";
import { includeOf } from "./hidden-thoughts";
import type { ResponsesSource } from "./read";

/**
 * Returns the body for a supplier of the same dialect: the client's bytes with the supplier's model name, without gw's
 * own fields. Disables storage at the supplier: all clients share one account, so one could read another's responses.
 * @throws AppError unsupported_parameter if `tool_choice` names a removed tool.
 */
export function forwardResponses(inference: InferenceRequest<ResponsesSource>, route: Route, fit: BodyFit): string {
  const { text, members, body } = inference.source;
  const edits = {
    ...editsOf(fit, { text, members, body }, (exact) => fitResponsesBody(exact, route)),
    ...ownFieldEdits({ text, body, members }, route),
  };
  if (body.store !== false) edits.store = "false";
  // Without storage, thoughts can be sent back only in encrypted form.
  const profile = profileOf(route);
  const include = profile.reasoning.encrypted ? includeOf(body) : null;
  if (include !== null) edits.include = include;
  // The input already contains the items of the previous response.
  if (Object.hasOwn(body, "previous_response_id")) edits.previous_response_id = null;
  const hasDeveloper = profile.developer === "system" && body.input.some(isDeveloper);
  if (hasDeveloper || !body.input.every(canGo)) {
    const input = exactMember(body.input, "input", { text, members });
    const known = input.every(canGo) ? input : input.filter(canGo).map(withoutId);
    edits.input = exactJson(JSON.stringify(hasDeveloper ? known.map(asSystem) : known));
  }
  return editMembers(text, members, { ...edits, ...unpricedToolEdits({ text, body, members }, route) });
}

const isDeveloper = (item: unknown): item is JsonObject => isObject(item) && item.role === "developer";
const asSystem = (item: unknown): unknown => (isDeveloper(item) ? { ...item, role: "system" } : item);

/** Removes the id of a supplier's item: by the id the supplier would notice that its thought is missing. */
function withoutId(item: unknown): unknown {
  if (!isObject(item) || !OWN_ITEMS.has(item.type)) return item;
  const { id: _theirs, ...rest } = item;
  return rest;
}

const OWN_ITEMS = new Set<unknown>(["message", "function_call", "custom_tool_call", "tool_search_call"]);

/**
 * Whether a supplier without storage can read an item: not a thought without encrypted text, nor one that gw sealed.
 */
function canGo(item: unknown): boolean {
  if (!isObject(item) || item.type !== "reasoning") return true;
  const { encrypted_content } = item;
  return typeof encrypted_content === "string" && !isSealedHere(encrypted_content);
}
