import type { Db } from "~/connection/db.server";
import { tokenHash } from "./one-time-token";

/** Purpose of a one-time link. A token is valid for its own purpose only. */
export type Purpose = "setup" | "sign_up" | "reset" | "sign_in" | "hand_off";

export type UsedToken = { userId: number | null; payload: unknown };

export async function insertToken(
  db: Db,
  row: { purpose: Purpose; token: string; userId: number | null; payload?: object; validSeconds: number },
): Promise<void> {
  const payload = JSON.stringify(row.payload ?? {});
  await db.$executeRaw`
    INSERT INTO one_time_token (purpose, token_hash, user_id, payload, expires_at)
    VALUES (${row.purpose}, ${tokenHash(row.token)}, ${row.userId}, ${payload}::jsonb, now() + make_interval(secs => ${row.validSeconds}))`;
}

/** Reads a token without redeeming it; null when it cannot be used. */
export async function findToken(db: Db, purpose: Purpose, token: string): Promise<UsedToken | null> {
  const rows = await db.$queryRaw<UsedToken[]>`
    SELECT user_id AS "userId", payload FROM one_time_token
    WHERE token_hash = ${tokenHash(token)} AND purpose = ${purpose} AND used_at IS NULL AND expires_at > now()`;
  return rows[0] ?? null;
}

/** Redeems a token: of concurrent requests one succeeds. Null when it cannot be used. */
export async function redeemToken(db: Db, purpose: Purpose, token: string): Promise<UsedToken | null> {
  const rows = await db.$queryRaw<UsedToken[]>`
    UPDATE one_time_token SET used_at = now()
    WHERE token_hash = ${tokenHash(token)} AND purpose = ${purpose} AND used_at IS NULL AND expires_at > now()
    RETURNING user_id AS "userId", payload`;
  return rows[0] ?? null;
}

/** Ends a person's open tokens of one purpose. */
export async function endTokens(db: Db, purpose: Purpose, userId: number): Promise<void> {
  await db.$executeRaw`
    UPDATE one_time_token SET used_at = now() WHERE purpose = ${purpose} AND user_id = ${userId} AND used_at IS NULL`;
}

/** Returns the newest pending sign-up of an address. */
export async function newestSignUp(db: Db, email: string): Promise<{ id: number; payload: unknown } | null> {
  const rows = await db.$queryRaw<{ id: number; payload: unknown }[]>`
    SELECT id, payload FROM one_time_token
    WHERE purpose = 'sign_up' AND payload ->> 'email' = ${email} AND used_at IS NULL AND expires_at > now()
    ORDER BY id DESC LIMIT 1`;
  return rows[0] ?? null;
}

/** Gives a pending sign-up a new token and its full validity; the earlier link ends. */
export async function renewToken(db: Db, id: number, token: string, validSeconds: number): Promise<void> {
  await db.$executeRaw`
    UPDATE one_time_token SET token_hash = ${tokenHash(token)}, expires_at = now() + make_interval(secs => ${validSeconds})
    WHERE id = ${id} AND used_at IS NULL`;
}

/** Deletes every sign-up of an address. Sign-ups carry password hashes, so none is retained. */
export async function deleteSignUps(db: Db, email: string): Promise<void> {
  await db.$executeRaw`DELETE FROM one_time_token WHERE purpose = 'sign_up' AND payload ->> 'email' = ${email}`;
}

/** Deletes links one day after they expire. */
export const deleteEndedTokens = (db: Db): Promise<number> =>
  db.$executeRaw`DELETE FROM one_time_token WHERE expires_at < now() - interval '1 day'`;
