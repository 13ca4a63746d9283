import type { Route } from "~/domain/catalogue/shared";
import { editMembers } from "~/http/body/json/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import { unpricedToolEdits } from "../wire/billed-tools";
import { ownFieldEdits } from "../wire/body-checks";
import type { NativeSource } from "./read";

/** Returns the client's bytes. Changes only the model name, and removes gw's own fields and tools without a price. */
export function forwardNative({ requestedModel, source }: InferenceRequest<NativeSource>, route: Route): string {
  const { text, members, body } = source;
  const { model, ...own } = ownFieldEdits({ text, body, members }, route);
  const edits = { ...own, ...unpricedToolEdits({ text, body, members }, route) };
  if (requestedModel === route.upstreamModel && Object.keys(edits).length === 0) return text;
  return editMembers(text, members, { model: model ?? null, ...edits });
}

/** Headers with the session and name of native agents. */
const FORWARDED = ["session-id", "session_id", "thread-id", "originator"];

/** Returns the client's headers for a native agent's supplier. */
export function forwardedHeaders(client: Headers): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of FORWARDED) {
    const value = client.get(name);
    if (value !== null && /^[\x20-\x7e]{1,256}$/.test(value)) headers[name] = value;
  }
  return headers;
}
