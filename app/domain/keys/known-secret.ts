import type { Db } from "~/db.server";
import { hasBudgetLimit } from "~/domain/accounting/index.server";
import { log } from "~/log.server";
import { payerOf } from "./payer";
import type { KnownSecret } from "./policy";
import { possibleHashesOf } from "./secret-hash";
import type { Caller } from "./shared";
import { findBySecret, replaceHash } from "./store";

type Found = NonNullable<Awaited<ReturnType<typeof findBySecret>>>;

/** Everything that has to be known to decide about a secret; null when it belongs to no key. */
export async function readKnownSecret(db: Db, secret: string): Promise<KnownSecret | null> {
  const hashes = possibleHashesOf(secret);
  const key = await findBySecret(db, hashes);
  if (key === null) return null;
  const isCurrent = hashes.some((hash) => hash.equals(key.secretHmac));
  renewHash(db, key, hashes, isCurrent ? key.secretHmac : key.previousHmac);
  return {
    caller: await callerOf(db, key),
    keyStatus: key.status === "active" || key.status === "suspended" ? key.status : "revoked",
    userActive: key.user === null || key.user.status === "active",
    expiresAtMs: key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    replacedAtMs: isCurrent ? Number.POSITIVE_INFINITY : (key.previousValidUntil?.getTime() ?? 0),
  };
}

async function callerOf(db: Db, key: Found): Promise<Caller> {
  const { id: keyId, userId, departmentId, projectId, organisationId, rateLimitRpm } = key;
  const parties = { keyId, userId, departmentId, projectId, organisationId };
  const [{ walletId, exempt }, hasLimit] = await Promise.all([payerOf(db, key), hasBudgetLimit(db, parties)]);
  return {
    ...parties,
    walletId,
    exempt,
    publicId: key.publicId,
    kind: key.kind === "admin" ? "admin" : "inference",
    allowedModels: key.allowedModels,
    allowedRegions: key.allowedRegions,
    rateLimitRpm,
    limited: rateLimitRpm !== null || hasLimit,
    autorouter: autorouterOf(key.metadata),
  };
}

function autorouterOf(metadata: Found["metadata"]): Caller["autorouter"] {
  const entry = (name: string) => {
    const value = typeof metadata === "object" && metadata !== null ? Reflect.get(metadata, name) : null;
    return typeof value === "string" && value !== "" ? value : null;
  };
  return { algorithm: entry("autorouter"), defaultModel: entry("autorouter_default") };
}

/** A hash under an older GW_SECRET is exchanged when its key is used, so that the older one can be taken away some day. */
function renewHash(db: Db, key: Found, [current]: readonly Buffer[], stored: Uint8Array | null): void {
  if (current === undefined || stored === null || current.equals(stored)) return;
  replaceHash(db, key.id, stored, current).catch((problem: unknown) => {
    log.warn({ err: problem, key: key.publicId }, "the hash of a key could not be renewed");
  });
}
