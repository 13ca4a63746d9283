import type { Route } from "~/domain/catalogue/shared";
import { editMembers } from "~/http/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import { ownFieldEdits } from "../wire/body-checks";
import type { ChatSource } from "./read";
import { hasOwnDetails, withoutOwnDetails } from "./thought-details";

/**
 * The body for a chat-style supplier: the client's own bytes, with the supplier's name for the model, without the
 * fields and sealed thoughts that are gw's own, and with usage asked for in a stream of a supplier that may be asked for it.
 */
export function forwardChat(inference: InferenceRequest, route: Route): string {
  const { text, members, body, wantsUsage } = inference.source as ChatSource;
  const edits = ownFieldEdits({ body, members }, route);
  if (body.messages.some(hasOwnDetails)) edits.messages = JSON.stringify(body.messages.map(withoutOwnDetails));
  if (inference.stream && !route.supplier.streamUsage) edits.stream_options = null;
  else if (inference.stream && !wantsUsage)
    edits.stream_options = JSON.stringify({ ...body.stream_options, include_usage: true });
  return editMembers(text, members, edits);
}
