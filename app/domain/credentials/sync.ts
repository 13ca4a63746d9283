import { createHash } from "node:crypto";
import type { Db } from "~/connection/db.server";
import { CannotOpen, seal, unseal } from "~/sealing/sealing.server";
import { associatedData } from "./associated-data";
import { recordTokenEvent } from "./record-events";
import type { GivenCredential, GivenCredentials, TokenEventKind, TokenEventSource } from "./shared";
import {
  type CredentialContent,
  type CredentialRow,
  deleteRow,
  listOf,
  putAside,
  saveSettings,
  saveWithSecrets,
} from "./store";

type Place = { supplierId: number; supplier: string; source: "config" | "portal"; position: number };

/**
 * Makes the stored credentials match the catalogue file, sealed. The database keeps the newer state of a renewed token,
 * unless the file has a new refresh token. Keys that the file no longer names are deleted; OAuth credentials are only
 * deactivated, because their newest tokens are stored only here. Safe to repeat. Returns the number of changed
 * credentials.
 */
export async function syncCredentials(tx: Db, configured: readonly GivenCredentials[]): Promise<number> {
  const rows = await listOf(
    tx,
    configured.map(({ supplierId }) => supplierId),
  );
  let changes = 0;
  for (const { supplierId, supplier, credentials } of configured) {
    const present = rows.filter((row) => row.supplierId === supplierId);
    for (const [position, credential] of credentials.entries()) {
      const row = present.find(({ name }) => name === credential.name) ?? null;
      if (await writeCredential(tx, { supplierId, supplier, source: "config", position }, row, credential))
        changes += 1;
    }
    const removed = present.filter(
      (row) => row.source === "config" && row.active && !credentials.some(({ name }) => name === row.name),
    );
    for (const row of removed) {
      await (row.kind === "oauth" ? putAside(tx, row.id) : deleteRow(tx, row.id));
      tell({ provider: supplier, keyName: row.name, kind: "removed", source: "config" });
      changes += 1;
    }
  }
  return changes;
}

/** Writes a credential if it differs from its row. Returns whether it did. */
export async function writeCredential(
  tx: Db,
  place: Place,
  row: CredentialRow | null,
  credential: GivenCredential,
): Promise<boolean> {
  const { supplierId, supplier, source, position } = place;
  const key = { supplierId, name: credential.name };
  if (row === null || !isSame(row, credential)) {
    await saveWithSecrets(tx, key, { ...sealed(key, credential), source, position, active: true });
    tell({ provider: supplier, keyName: credential.name, kind: row === null ? "added" : "changed", source });
    return true;
  }
  const isOAuth = "refreshToken" in credential;
  const settings = {
    source,
    position,
    active: true,
    tokenUrl: isOAuth ? credential.tokenUrl : null,
    clientId: isOAuth ? credential.clientId : null,
  };
  const differs = (Object.keys(settings) as (keyof typeof settings)[]).some((name) => row[name] !== settings[name]);
  if (differs) await saveSettings(tx, row.id, settings);
  return differs;
}

/** Whether a row has the same secret: of a renewed token, the initial one. */
function isSame(row: CredentialRow, credential: GivenCredential): boolean {
  try {
    if ("refreshToken" in credential) {
      if (row.kind !== "oauth" || row.fileDigest !== digestOf(credential.refreshToken)) return false;
      // Tokens that no secret decrypts are replaced by those of the file.
      unseal(row.sealedRefreshToken ?? "", associatedData(row, "refresh_token"));
      return true;
    }
    return row.kind === "api_key" && unseal(row.sealedToken ?? "", associatedData(row, "token")) === credential.apiKey;
  } catch (error) {
    if (error instanceof CannotOpen) return false;
    throw error;
  }
}

type Sealed = Omit<CredentialContent, "source" | "position" | "active">;

function sealed(key: { supplierId: number; name: string }, credential: GivenCredential): Sealed {
  if ("apiKey" in credential) {
    const sealedToken = seal(credential.apiKey, associatedData(key, "token"));
    const none = { sealedRefreshToken: null, tokenUrl: null, clientId: null, fileDigest: null, expiresAt: null };
    return { kind: "api_key", sealedToken, ...none };
  }
  const { accessToken, refreshToken, expiresAt, tokenUrl, clientId } = credential;
  return {
    kind: "oauth",
    sealedToken: accessToken === null ? null : seal(accessToken, associatedData(key, "token")),
    sealedRefreshToken: seal(refreshToken, associatedData(key, "refresh_token")),
    tokenUrl,
    clientId,
    fileDigest: digestOf(refreshToken),
    expiresAt,
  };
}

const digestOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

function tell({
  provider,
  keyName,
  kind,
  source,
}: {
  provider: string;
  keyName: string;
  kind: TokenEventKind;
  source: TokenEventSource;
}): void {
  recordTokenEvent({ provider, keyName, kind, source });
}
