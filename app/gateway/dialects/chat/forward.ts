import { profileOf } from "~/domain/catalogue/profiles";
import type { Route } from "~/domain/catalogue/shared";
import { editMembers } from "~/http/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import { ownFieldEdits } from "../wire/body-checks";
import { fitThoughts } from "./fit-thoughts";
import type { ChatSource } from "./read";

/**
 * The body for a chat-style supplier: the client's own bytes, with the supplier's name for the model, without the
 * fields that are gw's own, with thoughts as the model takes them, and with usage asked for in a stream of a supplier that may be asked for it.
 */
export function forwardChat(inference: InferenceRequest, route: Route): string {
  const { text, members, body, wantsUsage } = inference.source as ChatSource;
  const edits = ownFieldEdits({ body, members }, route);
  const profile = profileOf(route);
  const messages = body.messages.map((message) => fitThoughts(message, profile));
  if (messages.some((message, index) => message !== body.messages[index])) edits.messages = JSON.stringify(messages);
  if (inference.stream && !route.supplier.streamUsage) edits.stream_options = null;
  else if (inference.stream && !wantsUsage)
    edits.stream_options = JSON.stringify({ ...body.stream_options, include_usage: true });
  return editMembers(text, members, edits);
}
