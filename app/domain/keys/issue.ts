import { inTransaction, publish } from "~/bus.server";
import type { Db } from "~/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { keepOrganisation } from "./author-store";
import { type KeyAuthor, keepPersonalAuthor, OPERATOR, recipientOf } from "./authors";
import { type BudgetChange, setKeyBudget } from "./key-budget";
import { recordKeyEvent, settingsOf } from "./key-settings";
import { viewOf } from "./key-view";
import { generateSecret, randomDigits, shownParts } from "./secret";
import { hashOfSecret } from "./secret-hash";
import { insertKey } from "./store";

export type NewKey = {
  organisationId: number;
  name: string;
  kind?: "inference" | "admin";
  userId?: number | null;
  departmentId?: number | null;
  projectId?: number | null;
  allowedModels?: string[];
  allowedRegions?: string[];
  allowedOrigins?: string[];
  rateLimitRpm?: number | null;
  metadata?: Record<string, string>;
  expiresAt?: Date | null;
  budget?: BudgetChange;
  /** An admin key that the operator made up: `gw_` and at least 24 letters and digits. */
  secret?: string;
};

export type IssuedKey = {
  id: number;
  /** `key_…`: what the management API calls the key. */
  publicId: string;
  /** Told this one time; only its HMAC is kept. */
  secret: string;
  name: string;
  created: Date;
};

const PUBLIC_ID_BYTES = 16;
const PUBLIC_ID_DIGITS = 22;

/**
 * Makes a key, with its budget where one is given and an entry in the audit log, in one transaction. The key works in
 * every process from its commit on, and remembers whom its secret was told to: whoever asked, or the admin key by which
 * they did and the person behind that key.
 * @throws AppError account_status, forbidden, invalid_api_key when the author may make none at this moment
 */
export async function issueKey(db: Db, key: NewKey, by: KeyAuthor = OPERATOR): Promise<IssuedKey> {
  const secret = key.secret ?? generateSecret();
  const shown = shownParts(secret);
  const row = await inTransaction(db, async (tx) => {
    // Locks stand in one order everywhere: organisation, person, key. The new row would ask for its organisation last.
    await keepOrganisation(tx, key.organisationId);
    await keepPersonalAuthor(tx, by, key.kind ?? "inference");
    const recipient = await recipientOf(tx, by);
    const inserted = await insertKey(tx, {
      publicId: `key_${randomDigits(PUBLIC_ID_BYTES, PUBLIC_ID_DIGITS)}`,
      organisationId: key.organisationId,
      userId: key.userId ?? null,
      departmentId: key.departmentId ?? null,
      projectId: key.projectId ?? null,
      createdById: by.userId,
      ...recipient,
      kind: key.kind ?? "inference",
      name: key.name,
      secretHmac: hashOfSecret(secret),
      secretPrefix: shown.prefix,
      secretLast4: shown.last4,
      allowedModels: key.allowedModels ?? [],
      allowedRegions: key.allowedRegions ?? [],
      allowedOrigins: key.allowedOrigins ?? [],
      rateLimitRpm: key.rateLimitRpm ?? null,
      metadata: key.metadata ?? {},
      expiresAt: key.expiresAt ?? null,
    });
    if (key.budget) await setKeyBudget(tx, inserted, key.budget);
    await recordAuditEvent(tx, {
      ...recordKeyEvent(inserted, by),
      action: "key.create",
      after: settingsOf(await viewOf(tx, inserted)),
    });
    await publish(tx, "keys", String(inserted.id));
    return inserted;
  });
  return { id: row.id, publicId: row.publicId, secret, name: row.name, created: row.createdAt };
}
