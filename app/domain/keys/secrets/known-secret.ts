import type { Db } from "~/connection/db.server";
import { hasBudgetLimit } from "~/domain/accounting/index.server";
import { BUDGET_SCOPES } from "~/domain/accounting/shared";
import { atLeast, type Role } from "~/domain/accounts/shared";
import { guardrailsOf } from "~/domain/guardrails/index.server";
import { ConversationSettings } from "~/domain/organisations/shared";
import { log } from "~/observe/log.server";
import { effectiveAutorouter, entryOf, settingOfKey } from "../autorouter";
import { type EffectivePayer, payerOf } from "../payer";
import type { KnownSecret } from "../policy";
import type { Caller } from "../shared";
import { findBySecret, findKeyOf, findOwnKey, replaceHash } from "../store";
import { possibleHashesOf } from "./secret-hash";

type Found = NonNullable<Awaited<ReturnType<typeof findBySecret>>>;

/** Reads all data that decides about a secret; null when it belongs to no key. */
export async function readKnownSecret(db: Db, secret: string): Promise<KnownSecret | null> {
  const hashes = possibleHashesOf(secret);
  const key = await findBySecret(db, hashes);
  if (key === null) return null;
  const isCurrent = hashes.some((hash) => hash.equals(key.secretHmac));
  renewHash(db, key, hashes, isCurrent ? key.secretHmac : key.previousHmac);
  const replacedAtMs = isCurrent ? Number.POSITIVE_INFINITY : (key.previousValidUntil?.getTime() ?? 0);
  return { ...(await knownOf(db, key)), replacedAtMs };
}

/**
 * Reads the same data for a person's own inference key, by its id instead of its secret; null when they have no such
 * key.
 */
export async function readOwnKey(db: Db, owner: { userId: number }, id: number): Promise<KnownSecret | null> {
  const key = await findOwnKey(db, owner, id);
  return key && { ...(await knownOf(db, key)), replacedAtMs: Number.POSITIVE_INFINITY };
}

/** Reads the same data for a key of an organisation; null when there is no such key. */
export async function readKeyOf(db: Db, of: { organisationId: number; keyId: number }): Promise<KnownSecret | null> {
  const key = await findKeyOf(db, of);
  return key && { ...(await knownOf(db, key)), replacedAtMs: Number.POSITIVE_INFINITY };
}

const knownOf = async (db: Db, key: Found): Promise<Omit<KnownSecret, "replacedAtMs">> => ({
  caller: await callerOf(db, key),
  keyStatus: key.status === "active" || key.status === "suspended" ? key.status : "revoked",
  userActive: key.user === null || key.user.status === "active",
  expiresAtMs: key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
});

async function callerOf(db: Db, key: Found): Promise<Caller> {
  const { id: keyId, userId, departmentId, projectId, organisationId, rateLimitRpm } = key;
  const parties = { keyId, userId, departmentId, projectId, organisationId };
  const [effective, hasLimit] = await Promise.all([payerOf(db, key), hasBudgetLimit(db, parties)]);
  const { walletId, exempt } = effective;
  return {
    ...parties,
    walletId,
    exempt,
    publicId: key.publicId,
    kind: key.kind === "admin" ? "admin" : "inference",
    allowedModels: key.allowedModels,
    allowedRegions: key.allowedRegions,
    allowedOrigins: key.allowedOrigins,
    rateLimitRpm,
    limited: rateLimitRpm !== null || hasLimit,
    spending: {
      payer: effective.name,
      paysItself: paysItself(key, effective),
      shown: shownScopes(key, effective),
      fitsOutput: entryOf(key.metadata, "fit_output") === "true",
    },
    conversations: ConversationSettings.safeParse(key.organisation.conversations).data ?? null,
    guardrails: guardrailsOf({ ...key.organisation, id: key.organisationId }, key),
    autorouter: effectiveAutorouter({
      key: settingOfKey(key.metadata),
      user: key.user,
      organisation: key.organisation,
    }),
  };
}

/**
 * Returns the scopes whose limits and balances a rejection may reveal: the key's and its owner's, and the owner's
 * wallet where it pays. Shared scopes are revealed only if the owner administers them. The portal follows the same
 * rule.
 */
function shownScopes(key: Found, effective: EffectivePayer): NonNullable<Caller["spending"]>["shown"] {
  const own = paysItself(key, effective) ? (["key", "user", "wallet"] as const) : (["key", "user"] as const);
  const { user } = key;
  if (user === null) return own;
  if (atLeast(user.role as Role, "platform_admin")) return EVERY_SCOPE;
  if (user.organisationId !== key.organisationId) return own;
  if (user.role === "org_admin") return EVERY_SCOPE;
  const isDepartments = user.role === "department_admin" && user.departmentId === key.departmentId;
  return isDepartments ? [...own, "department"] : own;
}

const EVERY_SCOPE = [...BUDGET_SCOPES, "wallet"] as const;

const paysItself = (key: Found, { payer }: EffectivePayer): boolean => payer.kind === "user" && payer.id === key.userId;

/** Replaces a hash under an older GW_SECRET when its key is used, so that the older secret can be removed later. */
function renewHash(db: Db, key: Found, [current]: readonly Buffer[], stored: Uint8Array | null): void {
  if (current === undefined || stored === null || current.equals(stored)) return;
  replaceHash(db, key.id, stored, current).catch((error: unknown) => {
    log.warn({ err: error, key: key.publicId }, "the hash of a key could not be renewed");
  });
}
