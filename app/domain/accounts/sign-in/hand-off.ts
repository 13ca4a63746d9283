import { z } from "zod";
import type { Db } from "~/connection/db.server";
import { type Account, findAccountById } from "../account-store";
import { newToken, tokenHash } from "../links/one-time-token";
import { findToken, insertToken, redeemToken } from "../links/token-store";

const HAND_OFF_SECONDS = 60;

const Carried = z.object({
  host: z.string(),
  browserHash: z.string(),
  next: z.string(),
  /** When the person last proved their identity, in milliseconds. */
  provedAtMs: z.number(),
});

/**
 * Creates the token that transfers a sign-in to another of our host names. It is valid for one minute, once, on that
 * host, in the browser that began the sign-in.
 */
export async function issueHandOff(
  db: Db,
  sign: { userId: number; host: string; browserHash: string; next: string; provedAtMs: number },
): Promise<string> {
  const token = newToken();
  const { userId, ...payload } = sign;
  await insertToken(db, { purpose: "hand_off", token, userId, payload, validSeconds: HAND_OFF_SECONDS });
  return token;
}

/**
 * Completes the transfer. Null when the token cannot be used here: another host, another browser, expired, or already
 * used.
 */
export async function redeemHandOff(
  db: Db,
  token: string,
  here: { host: string; browser: string | null },
): Promise<{ account: Account; next: string; provedAt: Date } | null> {
  const stored = await findToken(db, "hand_off", token);
  const carried = Carried.safeParse(stored?.payload).data;
  if (!carried || carried.host !== here.host || carried.browserHash !== browserHash(here.browser ?? "")) return null;
  const used = await redeemToken(db, "hand_off", token);
  const account = used?.userId == null ? null : await findAccountById(db, used.userId);
  if (account?.status !== "active") return null;
  return { account, next: carried.next, provedAt: new Date(carried.provedAtMs) };
}

/** The hash of a browser's secret, which may appear in URLs between two hosts. */
export const browserHash = (browser: string): string => Buffer.from(tokenHash(browser)).toString("base64url");
