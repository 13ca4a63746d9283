import { randomUUID } from "node:crypto";
import { subscribe } from "~/connection/bus.server";
import { type Db, db } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { CannotOpen, resealed, unseal } from "~/sealing/sealing.server";
import { associatedData } from "./associated-data";
import { flushTokenEvents } from "./record-events";
import type { Credential, Token } from "./shared";
import { type CredentialRow, listActive, listAll, pruneEvents, replaceSeals, saveRenewed } from "./store";
import { renewedBefore } from "./token-journal";
import { TokenKeeper } from "./token-keeper";
import { stateOf } from "./token-state";

/** Retention of the event log in days. */
const EVENT_LOG_DAYS = 30;

let keeper = new TokenKeeper(randomUUID());
let stopListening: (() => void) | null = null;

/**
 * Writes tokens that an earlier process on this machine renewed but could not write. Call before credentials are read.
 * Returns the number of tokens that were still needed.
 */
export async function restoreRenewed(db: Db): Promise<number> {
  let restored = 0;
  for (const { entry, remove } of renewedBefore()) {
    const { id, generation, token, refreshToken, expiresAt } = entry;
    const expiresInSeconds = expiresAt === null ? null : Math.max(0, (expiresAt - Date.now()) / 1_000);
    if (await saveRenewed(db, { id, generation }, { token, refreshToken, expiresInSeconds })) restored += 1;
    remove();
  }
  return restored;
}

/** Subscribes to tokens that other processes renew. */
export function startCredentials(): void {
  stopListening ??= subscribe("credentials", (id) => void reread(id));
}

/** Starts to renew the tokens that expire soon, without waiting. Safe to repeat. Returns their number. */
export const renewTokens = (): number => keeper.tick();

/** Deletes credential events after their retention. Safe to repeat. Returns their number. */
export const purgeTokenEvents = (db: Db): Promise<number> => pruneEvents(db, EVENT_LOG_DAYS);

/** Waits for renewals in flight, and writes the waiting events. Safe to repeat. */
export async function stopCredentials(): Promise<void> {
  stopListening?.();
  stopListening = null;
  await keeper.stop();
  keeper = new TokenKeeper(randomUUID());
  await flushTokenEvents();
}

/**
 * Returns every supplier's decrypted credentials, by supplier id. A credential that cannot be decrypted is omitted and
 * logged. Also registers renewable tokens for `currentToken`.
 */
export async function readCredentials(db: Db): Promise<ReadonlyMap<number, readonly Credential[]>> {
  const credentials = new Map<number, Credential[]>();
  const tokens = new Set<number>();
  for (const row of await listActive(db)) {
    const credential = opened(row);
    if (credential === null) continue;
    if (credential.tokenId !== undefined) tokens.add(credential.tokenId);
    const those = credentials.get(row.supplierId);
    if (those === undefined) credentials.set(row.supplierId, [credential]);
    else those.push(credential);
  }
  keeper.retainOnly(tokens);
  return credentials;
}

/** Seals secrets of an older GW_SECRET with the first one. Returns the number of changed credentials. */
export async function resealCredentials(db: Db): Promise<number> {
  let changed = 0;
  for (const row of await listAll(db)) {
    try {
      const token = row.sealedToken && resealed(row.sealedToken, associatedData(row, "token"));
      const refresh = row.sealedRefreshToken && resealed(row.sealedRefreshToken, associatedData(row, "refresh_token"));
      if (!token && !refresh) continue;
      changed += await replaceSeals(db, row, token || row.sealedToken, refresh || row.sealedRefreshToken);
    } catch (error) {
      if (!(error instanceof CannotOpen)) throw error;
      log.error({ supplier: row.supplier.name, credential: row.name }, `a credential is lost: ${error.message}`);
    }
  }
  return changed;
}

/** Returns the token for a supplier: immediately while it is fresh, else after its renewal. @throws NoToken */
export const currentToken = (id: number): Token | Promise<Token> => keeper.current(id);

/** Returns the successor of a token that a supplier has rejected; null: none. */
export const tokenAfterRejection = (id: number, generation: number): Promise<Token | null> =>
  keeper.refused(id, generation);

function opened(row: CredentialRow): Credential | null {
  try {
    const text = row.sealedToken === null ? null : unseal(row.sealedToken, associatedData(row, "token"));
    if (row.kind !== "oauth") return { name: row.name, apiKey: text ?? "" };
    keeper.adopt(stateOf(row, text));
    return { name: row.name, apiKey: "", tokenId: row.id };
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
    log.error({ supplier: row.supplier.name, credential: row.name }, `a credential is left out: ${error.message}`);
    return null;
  }
}

async function reread(id: string | undefined): Promise<void> {
  try {
    if (id === undefined) await readCredentials(db());
    else await keeper.reload(Number(id));
  } catch (error) {
    // Calls with the old token read the new one from the database when the old one is due.
    log.warn({ err: error }, "a renewed token could not be read");
  }
}
