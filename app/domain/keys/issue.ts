import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { lockOrganisation } from "./author-store";
import { type KeyAuthor, lockPersonalAuthor, OPERATOR, recipientOf } from "./authors";
import { type BudgetChange, setKeyBudget } from "./key-budget";
import { auditedSettings, recordKeyEvent } from "./key-events";
import { viewOf } from "./key-view";
import { generateSecret, randomDigits, shownParts } from "./secrets/secret";
import { hashOfSecret } from "./secrets/secret-hash";
import { completeSettings, type KeySettings } from "./settings";
import { insertKey } from "./store";

export type NewKey = Partial<KeySettings> & {
  organisationId: number;
  name: string;
  kind?: "inference" | "admin";
  userId?: number | null;
  departmentId?: number | null;
  projectId?: number | null;
  budget?: BudgetChange;
  /** An admin key secret chosen by the operator: `gw_` and at least 24 letters and digits. */
  secret?: string;
};

export type IssuedKey = {
  id: number;
  /** `key_…`: the key's id in the management API. */
  publicId: string;
  /** Returned only once; only its HMAC is stored. */
  secret: string;
  name: string;
  created: Date;
};

const PUBLIC_ID_BYTES = 16;
const PUBLIC_ID_DIGITS = 22;

/**
 * Creates a key, with its budget if given and an audit event, in one transaction. The key works in every process from
 * its commit on. It records the recipient of its secret: the person, or the admin key that was used and the person who
 * has its secret.
 * @throws AppError account_status, forbidden, invalid_api_key when the author may not create one at present
 */
export async function issueKey(db: Db, key: NewKey, by: KeyAuthor = OPERATOR): Promise<IssuedKey> {
  const secret = key.secret ?? generateSecret();
  const shown = shownParts(secret);
  const row = await inTransaction(db, async (tx) => {
    // Locks follow one order everywhere: organisation, person, key. The insert alone would lock the organisation last.
    await lockOrganisation(tx, key.organisationId);
    await lockPersonalAuthor(tx, by, key.kind ?? "inference");
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
      ...completeSettings(key),
    });
    if (key.budget) await setKeyBudget(tx, inserted, key.budget);
    await recordAuditEvent(tx, {
      ...recordKeyEvent(inserted, by),
      action: "key.create",
      after: auditedSettings(await viewOf(tx, inserted)),
    });
    await publish(tx, "keys", String(inserted.id));
    return inserted;
  });
  return { id: row.id, publicId: row.publicId, secret, name: row.name, created: row.createdAt };
}
