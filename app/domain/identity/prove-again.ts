import type { Db } from "~/db.server";
import { apiError } from "~/errors/app-error";
import { newToken, tokenHash } from "./one-time-token";
import { renewSession } from "./session-store";
import type { Actor } from "./shared";
import { checkPassword } from "./sign-in";

/**
 * Proves by password that the person at a session is still the one who signed in: acts that ask for a recent proof are open
 * to it for 15 minutes. Wrong ones are counted for this session, whoever else guesses at the account. The session goes on under another token, which is returned for the
 * cookie and kept nowhere; who has a copy of the one before is signed out.
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

/** Whether a password is the actor's; counted for this session. @throws AppError rate_limit_exceeded */
export async function isPasswordOf(db: Db, actor: Actor, password: string): Promise<boolean> {
  const { userId, email, address, sessionId } = actor;
  const mayUse = async (account: { id: number }) => account.id === userId;
  return (await checkPassword(db, { email, password, address, sessionId, mayUse })).kind === "ready";
}
