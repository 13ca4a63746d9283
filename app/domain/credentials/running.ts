import { randomUUID } from "node:crypto";
import { subscribe } from "~/bus.server";
import { type Db, db } from "~/db.server";
import { log } from "~/log.server";
import { CannotOpen, resealed, unseal } from "~/sealing.server";
import { associatedData } from "./associated-data";
import { flushTokenEvents } from "./record-events";
import type { Credential, Token } from "./shared";
import { type CredentialRow, listActive, listAll, pruneEvents, replaceSeals, saveRenewed } from "./store";
import { renewedBefore } from "./token-journal";
import { TokenKeeper } from "./token-keeper";
import { stateOf } from "./token-state";

/** The event log goes back this far. */
const EVENT_LOG_DAYS = 30;

let keeper = new TokenKeeper(randomUUID());
let stopListening: (() => void) | null = null;

/**
 * Writes the tokens that an earlier process on this machine has renewed and could not write. To be called before the
 * credentials are read. Returns how many were still wanted.
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

/** Hears of the tokens that other processes have renewed. */
export function startCredentials(): void {
  stopListening ??= subscribe("credentials", (id) => void reread(id));
}

/** Begins to renew the tokens that end soon, and waits for none of them. Safe to repeat. Returns how many it were. */
export const renewTokens = (): number => keeper.tick();

/** Deletes events of credentials that are older than the log goes back. Safe to repeat. Returns how many. */
export const purgeTokenEvents = (db: Db): Promise<number> => pruneEvents(db, EVENT_LOG_DAYS);

/** Waits for in-flight renewals, and writes the events that wait. Safe to repeat. */
export async function stopCredentials(): Promise<void> {
  stopListening?.();
  stopListening = null;
  await keeper.stop();
  keeper = new TokenKeeper(randomUUID());
  await flushTokenEvents();
}

/**
 * Every supplier's credentials, opened, by the supplier's id. One that cannot be opened is left out and logged. Tokens that are
 * renewed are known to `currentToken` from here on.
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
  keeper.keepOnly(tokens);
  return credentials;
}

/** Seals with the first GW_SECRET what an older one has sealed. Returns how many credentials that were. */
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

/** The token to show a supplier now; at once where it is fresh, else once it is renewed. @throws NoToken */
export const currentToken = (id: number): Token | Promise<Token> => keeper.current(id);

/** The token that comes after one that a supplier has refused; null when there is none. */
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
    // Whoever uses the old token learns of the new one by the database when it is due.
    log.warn({ err: error }, "a renewed token could not be read");
  }
}
