import { z } from "zod";
import type { Db } from "~/connection/db.server";
import { type Account, findAccountById } from "../account-store";
import { addressSuffices } from "../address-proof";
import { newToken, tokenHash } from "../links/one-time-token";
import { endTokens, findToken, insertToken, redeemToken, type UsedToken } from "../links/token-store";
import { rateLimitEmail } from "./throttle";

export const SIGN_IN_LINK_SECONDS = 15 * 60;

const Carried = z.object({ browserHash: z.string() });

/**
 * Creates a link that completes a sign-in whose password was right while the account was locked. Works once, for 15
 * minutes, in the browser that has the secret.
 * @throws AppError rate_limit_exceeded
 */
export async function issueSignInLink(
  db: Db,
  { account, address, browser }: { account: Account; address: string; browser: string },
): Promise<string> {
  await rateLimitEmail(db, { account: account.email, address, own: null });
  const token = newToken();
  const payload = { browserHash: hashText(browser) };
  await insertToken(db, { purpose: "sign_in", token, userId: account.id, payload, validSeconds: SIGN_IN_LINK_SECONDS });
  return token;
}

/**
 * Returns the account whose sign-in a link completes, and whether this browser may do so; null when the link cannot be
 * used.
 */
export async function findSignInLink(
  db: Db,
  token: string,
  browser: string | null,
): Promise<{ email: string; here: boolean } | null> {
  const stored = await findToken(db, "sign_in", token);
  const account = stored?.userId == null ? null : await findAccountById(db, stored.userId);
  return stored && account && { email: account.email, here: isFor(stored, browser) };
}

/**
 * Redeems a link, once, and ends the account's other links. Null when it cannot be used. In another browser it returns
 * null too, and leaves the link usable.
 */
export async function redeemSignInLink(db: Db, token: string, browser: string | null): Promise<Account | null> {
  const stored = await findToken(db, "sign_in", token);
  if (stored === null || !isFor(stored, browser)) return null;
  const used = await redeemToken(db, "sign_in", token);
  if (used?.userId == null) return null;
  await endTokens(db, "sign_in", used.userId);
  const account = await findAccountById(db, used.userId);
  return account?.status === "active" && addressSuffices(account) ? account : null;
}

const isFor = (stored: UsedToken, browser: string | null): boolean =>
  browser !== null && Carried.safeParse(stored.payload).data?.browserHash === hashText(browser);

const hashText = (text: string): string => Buffer.from(tokenHash(text)).toString("base64url");
