import { z } from "zod";
import type { Db } from "~/db.server";
import { type Account, findAccountById } from "./account-store";
import { newToken, tokenHash } from "./one-time-token";
import { findToken, insertToken, redeemToken } from "./token-store";

const HAND_OFF_SECONDS = 60;

const Carried = z.object({
  host: z.string(),
  browserHash: z.string(),
  next: z.string(),
  /** When the person has proven who they are, in milliseconds. */
  provedAtMs: z.number(),
});

/**
 * The token that carries a sign-in over to another of our host names: good for one minute, once, on that host, and in the
 * browser that began there.
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

/** Ends the carrying over. Null when the token cannot be used here: another host, another browser, too late, or again. */
export async function redeemHandOff(
  db: Db,
  token: string,
  here: { host: string; browser: string | null },
): Promise<{ account: Account; next: string; provedAt: Date } | null> {
  const found = await findToken(db, "hand_off", token);
  const carried = Carried.safeParse(found?.payload).data;
  if (!carried || carried.host !== here.host || carried.browserHash !== browserHash(here.browser ?? "")) return null;
  const used = await redeemToken(db, "hand_off", token);
  const account = used?.userId == null ? null : await findAccountById(db, used.userId);
  if (account?.status !== "active") return null;
  return { account, next: carried.next, provedAt: new Date(carried.provedAtMs) };
}

/** What may be shown of a browser's secret on the way between two hosts. */
export const browserHash = (browser: string): string => Buffer.from(tokenHash(browser)).toString("base64url");
