import { profileOf } from "~/domain/catalogue/profiles";
import type { Route } from "~/domain/catalogue/shared";
import { exactJson, exactMember } from "~/http/exact-numbers";
import { editMembers } from "~/http/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import { unpricedToolEdits } from "../wire/billed-tools";
import { ownFieldEdits } from "../wire/body-checks";
import { editsOf, fitResponsesBody } from "../wire/fit-body";
import { isObject } from "../wire/reading";
import { isSealedHere } from "../wire/sealed-thoughts";
import { includeOf } from "./hidden-thoughts";
import type { ResponsesSource } from "./read";

/**
 * The body for a supplier of the same dialect: the client's own bytes, its model's name there, nothing of gw's own. The
 * supplier is asked to keep nothing: its account is everybody's, and what it kept for one client another could ask for.
 * @throws AppError unsupported_parameter where the choice is a tool that is left out.
 */
export function forwardResponses(inference: InferenceRequest, route: Route): string {
  const { text, members, body } = inference.source as ResponsesSource;
  const edits = {
    ...editsOf(fitResponsesBody, { text, members, body }, route),
    ...ownFieldEdits({ text, body, members }, route),
  };
  if (body.store !== false) edits.store = "false";
  // So its thoughts come back with the request that needs them, or not at all.
  const include = profileOf(route).reasoning.encrypted ? includeOf(body) : null;
  if (include !== null) edits.include = include;
  // What it goes on with is in the input by now.
  if (Object.hasOwn(body, "previous_response_id")) edits.previous_response_id = null;
  if (!body.input.every(canGo)) {
    const input = exactMember(body.input, "input", { text, members });
    edits.input = exactJson(JSON.stringify(input.filter(canGo).map(withoutId)));
  }
  return editMembers(text, members, { ...edits, ...unpricedToolEdits({ text, body, members }, route) });
}

/** Suppliers miss the thought that an item of theirs had, and know such items by their ids. */
function withoutId(item: unknown): unknown {
  if (!isObject(item) || !OWN_ITEMS.has(item.type)) return item;
  const { id: _theirs, ...rest } = item;
  return rest;
}

const OWN_ITEMS = new Set<unknown>(["message", "function_call", "custom_tool_call", "tool_search_call"]);

/** Whether an item means anything to a supplier that keeps nothing: not a thought without its text, nor one of another supplier's. */
function canGo(item: unknown): boolean {
  if (!isObject(item) || item.type !== "reasoning") return true;
  const { encrypted_content } = item;
  return typeof encrypted_content === "string" && !isSealedHere(encrypted_content);
}
