import { fractionOf } from "~/domain/routing/index.server";
import type { SessionSource } from "~/domain/routing/shared";
import type { CallContext } from "../call-context";
import type { RoutingHints } from "../canonical/routing-hints";

/** A routing session. `name` is unique across keys and models and never leaves the process. */
export type Session = { name: string; from: SessionSource; isFirstTurn: boolean };

/** The part of a call that identifies its session. */
type RoutingInput = Pick<CallContext, "caller" | "inference" | "sessionId"> & { readonly call: { request: Request } };

/** Headers in which coding agents and other clients identify a conversation, in order of precedence. */
const AGENT_HEADERS = ["x-claude-code-session-id", "session-id", "session_id", "thread-id"];

/**
 * Returns the session of a request: by `X-Session-Id`, `metadata.session_id` or `metadata.sticky_key` (the caller
 * passes the first of these as `sessionId`), else inferred from an agent's own header, the cache key, or the beginning
 * of the conversation. Each key and model has its own sessions. Null if nothing identifies a session.
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
  // Single questions with the same beginning are not a conversation: only a later turn follows the pin.
  return opening === null ? null : session("conversation", String(fractionOf(opening)), !continued);
}
