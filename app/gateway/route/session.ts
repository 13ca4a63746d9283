import { fractionOf } from "~/domain/routing/index.server";
import type { SessionSource } from "~/domain/routing/shared";
import type { CallContext } from "../call-context";
import type { RoutingHints } from "../canonical/routing-hints";

/** A session as routing knows it. `name` is unique over keys and models; it never leaves the process. */
export type Session = { name: string; from: SessionSource; isFirstTurn: boolean };

/** Of a call, what its session is told by. */
type RoutingInput = Pick<CallContext, "caller" | "inference" | "sessionId"> & { readonly call: { request: Request } };

/** Headers in which coding agents and other clients name a conversation of their own, in the order of belief. */
const AGENT_HEADERS = ["x-claude-code-session-id", "session-id", "session_id", "thread-id"];

/**
 * Which session a request belongs to: `X-Session-Id`, `metadata.session_id`, `metadata.sticky_key` (the first of
 * these is known by now), else what can be inferred: an agent's own header, the cache key, or
 * how the conversation begins. Sessions are apart for each key and model. null when there is nothing to go by.
 */
export function sessionOf(asking: RoutingInput, hints: () => RoutingHints): Session | null {
  const { caller, inference, sessionId } = asking;
  const { headers } = asking.call.request;
  const session = (from: SessionSource, id: string, isFirstTurn = false): Session => ({
    name: `${caller.keyId}\n${inference.requestedModel}\n${from === "body" ? "header" : from}\n${id}`,
    from,
    isFirstTurn,
  });
  if (sessionId !== null) return session(headers.get("x-session-id") ? "header" : "body", sessionId);
  for (const name of AGENT_HEADERS) {
    const value = headers.get(name);
    if (value) return session("agent", value.slice(0, 256));
  }
  const { cacheKey, opening, continued } = hints();
  if (cacheKey !== null) return session("cache_key", cacheKey);
  // Single questions that begin alike are no conversation: only a later turn follows the first one.
  return opening === null ? null : session("conversation", String(fractionOf(opening)), !continued);
}
