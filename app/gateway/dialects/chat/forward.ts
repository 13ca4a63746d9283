import { profileOf } from "~/domain/catalogue/profiles";
import type { Route } from "~/domain/catalogue/shared";
import { exactJson, exactMember } from "~/http/body/json/exact-numbers";
import { editMembers } from "~/http/body/json/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import { ownFieldEdits } from "../wire/body-checks";
import { editsOf, fitChatBody } from "../wire/fit-body";
import type { BodyFit } from "../wire/fit-members";
import { fitMessage } from "./fit/fit-message";
import type { ChatSource } from "./read";

/**
 * Returns the body for a chat-style supplier: the client's bytes with the supplier's model name, without gw's own
 * fields, and with messages of other suppliers adapted to the model. Requests usage in streams if the supplier supports
 * that.
 */
export function forwardChat(inference: InferenceRequest<ChatSource>, route: Route, fit: BodyFit): string {
  const { text, members, body, wantsUsage } = inference.source;
  const edits = {
    ...editsOf(fit, { text, members, body }, (exact) => fitChatBody(exact, route)),
    ...ownFieldEdits({ text, body, members }, route),
  };
  const profile = profileOf(route);
  if (body.messages.some((message) => fitMessage(message, profile) !== message)) {
    const messages = exactMember(body.messages, "messages", { text, members });
    const fitted = messages.map((message) => fitMessage(message, profile)).filter((message) => message !== null);
    edits.messages = exactJson(JSON.stringify(fitted));
  }
  if (inference.stream && !route.supplier.streamUsage) edits.stream_options = null;
  else if (inference.stream && !wantsUsage)
    edits.stream_options = JSON.stringify({ ...body.stream_options, include_usage: true });
  return editMembers(text, members, edits);
}
