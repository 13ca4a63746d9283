import type { Db } from "~/connection/db.server";
import { apiError } from "~/errors/app-error";
import { newToken, tokenHash } from "../links/one-time-token";
import { renewSession } from "../sessions/session-store";
import type { Actor } from "../shared";
import { checkPassword } from "../sign-in/sign-in";

/**
 * Proves by password that the person of a session is still the one who signed in. Operations that require a recent
 * proof are then allowed for 15 minutes. Wrong passwords count against this session, independently of other attempts on
 * the account. The session gets a new token, which is returned for the cookie and not stored; a copy of the previous
 * token no longer works.
 * @throws AppError invalid_credentials when it is not the actor's password; rate_limit_exceeded.
 */
export async function proveAgain(db: Db, actor: Actor, password: string): Promise<{ token: string }> {
  if (!(await isPasswordOf(db, actor, password))) {
    throw apiError("invalid_credentials", { key: "problems:notYourPassword", param: "password" });
  }
  const token = newToken();
  const renewed = await renewSession(db, { id: actor.sessionId, userId: actor.userId, tokenHash: tokenHash(token) });
  if (renewed === 0) throw apiError("authentication_required");
  return { token };
}

/**
 * Returns whether a password is the actor's. Attempts count against this session. @throws AppError rate_limit_exceeded
 */
export async function isPasswordOf(db: Db, actor: Actor, password: string): Promise<boolean> {
  const { userId, email, address, sessionId } = actor;
  const mayUse = async (account: { id: number }) => account.id === userId;
  return (await checkPassword(db, { email, password, address, sessionId, mayUse })).kind === "ready";
}
