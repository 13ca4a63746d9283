import type { Route } from "~/domain/catalogue/shared";
import { exactJson, exactMember } from "~/http/exact-numbers";
import { editMembers } from "~/http/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import { ownFieldEdits } from "../wire/body-checks";
import { editsOf, fitMessagesBody } from "../wire/fit-body";
import { isForeignThought } from "../wire/sealed-thoughts";
import type { MessagesBody, MessagesSource } from "./read";

/** The body for a messages-style supplier: the client's own bytes, its model's name there, and no fields of gw's own. */
export function forwardMessages(inference: InferenceRequest, route: Route): string {
  const { text, members, body } = inference.source as MessagesSource;
  const edits = {
    ...editsOf(fitMessagesBody, { text, members, body }, route),
    ...ownFieldEdits({ text, body, members }, route),
  };
  // No other model answers than the one that is asked, priced and allowed.
  if (Object.hasOwn(body, "fallbacks")) edits.fallbacks = null;
  if (body.messages.some(hasForeignThought)) {
    const messages = exactMember(body.messages, "messages", { text, members });
    edits.messages = exactJson(JSON.stringify(withoutForeignThoughts(messages)));
  }
  return editMembers(text, members, edits);
}

/** Without the thoughts of suppliers of other formats from earlier in the conversation: no other seal than its own is valid here. */
function withoutForeignThoughts(messages: MessagesBody["messages"]): MessagesBody["messages"] {
  return messages.flatMap((message) => {
    if (typeof message.content === "string") return [message];
    const content = message.content.filter((block) => !isForeignThought(block));
    return content.length === 0 && message.content.length > 0 ? [] : [{ ...message, content }];
  });
}

type Message = MessagesBody["messages"][number];

const hasForeignThought = ({ content }: Message): boolean =>
  typeof content !== "string" && content.some(isForeignThought);

/** What a request that says nothing else is written for. */
export const DEFAULT_VERSION = "2023-06-01";

/**
 * The client's headers that a messages-style supplier gets: the version of the API that the body is written for, under
 * either of its names, and the beta features that the client counts on.
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

/** Names of beta features. Those about how the client signs in concern gw, whose own key the supplier gets. */
function betaOf(header: string | null): string {
  return (header ?? "")
    .slice(0, 4096)
    .split(",")
    .map((name) => name.trim())
    .filter((name) => /^[\w.-]{1,100}$/.test(name) && !name.startsWith("oauth-"))
    .join(",");
}
