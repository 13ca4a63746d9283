import { profileOf } from "~/domain/catalogue/profiles";
import type { Route } from "~/domain/catalogue/shared";
import { exactJson, exactMember } from "~/http/body/json/exact-numbers";
import { editMembers } from "~/http/body/json/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import { ownFieldEdits } from "../wire/body-checks";
import { editsOf, fitMessagesBody } from "../wire/fit-body";
import type { BodyFit } from "../wire/fit-members";
import { isForeignThought } from "../wire/thoughts/sealed-thoughts";
import { messagesWire, type ThoughtWire } from "../wire/thoughts/thoughts";
import type { MessagesBody, MessagesSource } from "./read";
import { lacksThought, withThought } from "./required-thoughts";

/** Returns the client's bytes for a messages-style supplier, with its model name and without gw's own fields. */
export function forwardMessages(inference: InferenceRequest<MessagesSource>, route: Route, fit: BodyFit): string {
  const { text, members, body } = inference.source;
  const edits = {
    ...editsOf(fit, { text, members, body }, (exact) => fitMessagesBody(exact, route)),
    ...ownFieldEdits({ text, body, members }, route),
  };
  // Only the routed, priced and permitted model may answer.
  if (Object.hasOwn(body, "fallbacks")) edits.fallbacks = null;
  const profile = profileOf(route);
  const wire = messagesWire(profile);
  if (body.messages.some((message) => hasForeignThought(message, wire) || lacksThought(message, profile))) {
    const messages = exactMember(body.messages, "messages", { text, members });
    const known = withoutForeignThoughts(messages, wire);
    const fitted = known.map((message) => (lacksThought(message, profile) ? withThought(message) : message));
    edits.messages = exactJson(JSON.stringify(fitted));
  }
  return editMembers(text, members, edits);
}

/** Removes earlier thoughts of other suppliers, because the supplier accepts only its own seals. */
function withoutForeignThoughts(messages: MessagesBody["messages"], wire: ThoughtWire): MessagesBody["messages"] {
  return messages.flatMap((message) => {
    if (typeof message.content === "string") return [message];
    const content = message.content.filter((block) => !isForeignThought(block, wire));
    return content.length === 0 && message.content.length > 0 ? [] : [{ ...message, content }];
  });
}

type Message = MessagesBody["messages"][number];

const hasForeignThought = ({ content }: Message, wire: ThoughtWire): boolean =>
  typeof content !== "string" && content.some((block) => isForeignThought(block, wire));

/** API version of a request that names none. */
export const DEFAULT_VERSION = "2023-06-01";

/**
 * Returns the client's headers for a messages-style supplier: the API version of the body, under either of its names,
 * and the beta features that the client uses.
 */
export function forwardedHeaders(client: Headers): Record<string, string> {
  const version = client.get("anthropic-version") ?? client.get("vendord-version");
  const headers: Record<string, string> = {
    "anthropic-version": version !== null && /^\d{4}-\d{2}-\d{2}$/.test(version) ? version : DEFAULT_VERSION,
  };
  const beta = betaOf(client.get("anthropic-beta"));
  if (beta !== "") headers["anthropic-beta"] = beta;
  return headers;
}

/** Returns the names of beta features, without those for the client's sign-in: the supplier gets gw's own key. */
function betaOf(header: string | null): string {
  return (header ?? "")
    .slice(0, 4096)
    .split(",")
    .map((name) => name.trim())
    .filter((name) => /^[\w.-]{1,100}$/.test(name) && !name.startsWith("oauth-"))
    .join(",");
}
