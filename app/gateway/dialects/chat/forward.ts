import { profileOf } from "~/domain/catalogue/profiles";
import type { Route } from "~/domain/catalogue/shared";
import { exactJson, exactMember } from "~/http/exact-numbers";
import { editMembers } from "~/http/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import { ownFieldEdits } from "../wire/body-checks";
import { editsOf, fitChatBody } from "../wire/fit-body";
import { fitMessage } from "./fit-message";
import type { ChatSource } from "./read";

/**
 * The body for a chat-style supplier: the client's own bytes, with the supplier's name for the model, without the
 * fields that are gw's own, with messages of other suppliers as the model takes them, and with usage asked for in a stream of a supplier that may be asked for it.
 */
export function forwardChat(inference: InferenceRequest, route: Route): string {
  const { text, members, body, wantsUsage } = inference.source as ChatSource;
  const edits = {
    ...editsOf(fitChatBody, { text, members, body }, route),
    ...ownFieldEdits({ text, body, members }, route),
  };
  const profile = profileOf(route);
  if (body.messages.some((message) => fitMessage(message, profile) !== message)) {
    const messages = exactMember(body.messages, "messages", { text, members });
    edits.messages = exactJson(JSON.stringify(messages.map((message) => fitMessage(message, profile))));
  }
  if (inference.stream && !route.supplier.streamUsage) edits.stream_options = null;
  else if (inference.stream && !wantsUsage)
    edits.stream_options = JSON.stringify({ ...body.stream_options, include_usage: true });
  return editMembers(text, members, edits);
}
