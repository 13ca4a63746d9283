import type { Db } from "~/connection/db.server";
import type { PayerFacts } from "~/domain/payers/shared";
import type { Prisma } from "~/generated/prisma/client";
import type { AutorouterSetting } from "./autorouter";
import { type KeySettings, NO_SETTINGS } from "./settings";
import type { KeyStatus } from "./words";

/** The organisation of a key. Every read or change of a key by management or portal names it. */
export type OrgScope = { organisationId: number };
/** A key by its id in the management API, or by its id in the portal. */
export type KeyRef = { publicId: string } | { id: number };

const settingFields = Object.fromEntries(Object.keys(NO_SETTINGS).map((name) => [name, true])) as {
  [Name in keyof KeySettings]: true;
};

const keyFields = {
  id: true,
  publicId: true,
  kind: true,
  organisationId: true,
  userId: true,
  departmentId: true,
  projectId: true,
  createdById: true,
  name: true,
  secretPrefix: true,
  secretLast4: true,
  status: true,
  ...settingFields,
  createdAt: true,
  rotatedAt: true,
  revokedAt: true,
  previousValidUntil: true,
} as const satisfies Prisma.ApiKeySelect;

export type KeyRow = Prisma.ApiKeyGetPayload<{ select: typeof keyFields }>;

export const KEY_FIELDS = Object.keys(keyFields) as (keyof KeyRow)[];

const bytes = (buffer: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(buffer);

/** Finds the key of a secret, current or previous, under any of its possible hashes. */
export function findBySecret(db: Db, hashes: readonly Uint8Array[]) {
  const any = hashes.map(bytes);
  return db.apiKey.findFirst({
    where: { OR: [{ secretHmac: { in: any } }, { previousHmac: { in: any } }] },
    select: callerFields,
  });
}

/** Returns a person's own inference key, whatever its status. */
export const findOwnKey = (db: Db, { userId }: { userId: number }, id: number) =>
  db.apiKey.findFirst({ where: { id, userId, kind: "inference" }, select: callerFields });

/** Returns a key of an organisation, whatever its status. */
export const findKeyOf = (db: Db, { organisationId, keyId }: { organisationId: number; keyId: number }) =>
  db.apiKey.findFirst({ where: { id: keyId, organisationId }, select: callerFields });

const callerFields = {
  ...keyFields,
  secretHmac: true,
  previousHmac: true,
  user: {
    select: {
      status: true,
      role: true,
      organisationId: true,
      departmentId: true,
      autorouter: true,
      autorouterDefault: true,
    },
  },
  guardrails: true,
  guardrailWebhook: true,
  organisation: {
    select: {
      autorouter: true,
      autorouterDefault: true,
      conversations: true,
      guardrails: true,
      guardrailWebhook: true,
    },
  },
} as const satisfies Prisma.ApiKeySelect;

/** Returns the stored hashes of all admin keys that are not revoked. */
export async function readAdminHashes(db: Db): Promise<Uint8Array[]> {
  const rows = await db.apiKey.findMany({
    where: { kind: "admin", status: { not: "revoked" } },
    select: { secretHmac: true, previousHmac: true },
  });
  return rows.flatMap(({ secretHmac, previousHmac }) =>
    previousHmac === null ? [secretHmac] : [secretHmac, previousHmac],
  );
}

/** Replaces a stored hash, unless it has changed. */
export async function replaceHash(db: Db, id: number, from: Uint8Array, to: Uint8Array): Promise<void> {
  const [old, fresh] = [bytes(from), bytes(to)];
  await db.apiKey.updateMany({ where: { id, secretHmac: old }, data: { secretHmac: fresh } });
  await db.apiKey.updateMany({ where: { id, previousHmac: old }, data: { previousHmac: fresh } });
}

export type NewKeyRow = KeySettings & {
  publicId: string;
  organisationId: number;
  userId: number | null;
  departmentId: number | null;
  projectId: number | null;
  createdById: number | null;
  issuedToId: number | null;
  issuedToKeyId: number | null;
  kind: string;
  name: string;
  secretHmac: Uint8Array;
  secretPrefix: string;
  secretLast4: string;
};

export const insertKey = (db: Db, row: NewKeyRow): Promise<KeyRow> =>
  db.apiKey.create({ data: { ...row, secretHmac: bytes(row.secretHmac) }, select: keyFields });

export const findKey = (db: Db, { organisationId }: OrgScope, ref: KeyRef): Promise<KeyRow | null> =>
  db.apiKey.findFirst({
    where: { organisationId, ...("id" in ref ? { id: ref.id } : { publicId: ref.publicId }) },
    select: keyFields,
  });

/** Returns keys before `beforeId`, newest first. */
export function listKeyRows(
  db: Db,
  { organisationId }: OrgScope,
  page: { beforeId: number | null; limit: number; status: KeyStatus | null; now: Date },
): Promise<KeyRow[]> {
  return db.apiKey.findMany({
    where: {
      organisationId,
      ...(page.beforeId === null ? {} : { id: { lt: page.beforeId } }),
      ...(page.status === null ? {} : hasStatus(page.status, page.now)),
    },
    orderBy: { id: "desc" },
    take: page.limit,
    select: keyFields,
  });
}

function hasStatus(status: KeyStatus, now: Date): Prisma.ApiKeyWhereInput {
  if (status === "revoked" || status === "suspended") return { status };
  if (status === "expired") return { status: "active", expiresAt: { lte: now } };
  return { status: "active", OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
}

export type KeyChange = Partial<KeySettings> & {
  name?: string;
  status?: "active" | "suspended";
  projectId?: number | null;
};

export const changeKeyRow = (db: Db, { organisationId }: OrgScope, id: number, change: KeyChange): Promise<KeyRow> =>
  db.apiKey.update({ where: { id, organisationId }, data: change, select: keyFields });

export const revokeKeyRow = (db: Db, { organisationId }: OrgScope, id: number, now: Date): Promise<KeyRow> =>
  db.apiKey.update({
    where: { id, organisationId },
    data: { status: "revoked", revokedAt: now, previousHmac: null, previousValidUntil: null },
    select: keyFields,
  });

/**
 * Stores a new secret. The current one becomes the previous one until `previousValidUntil`; an earlier previous one
 * ends now.
 */
export async function rotateKeyRow(
  db: Db,
  { organisationId }: OrgScope,
  id: number,
  fresh: {
    secretHmac: Uint8Array;
    secretPrefix: string;
    secretLast4: string;
    previousValidUntil: Date;
    now: Date;
    issuedToId: number | null;
    issuedToKeyId: number | null;
  },
): Promise<KeyRow> {
  const { secretHmac: replaced, issuedToId: previousIssuedToId } = await db.apiKey.findUniqueOrThrow({
    where: { id, organisationId },
    select: { secretHmac: true, issuedToId: true },
  });
  return db.apiKey.update({
    where: { id, organisationId },
    data: {
      secretHmac: bytes(fresh.secretHmac),
      secretPrefix: fresh.secretPrefix,
      secretLast4: fresh.secretLast4,
      previousHmac: replaced,
      previousValidUntil: fresh.previousValidUntil,
      rotatedAt: fresh.now,
      previousIssuedToId,
      issuedToId: fresh.issuedToId,
      issuedToKeyId: fresh.issuedToKeyId,
    },
    select: keyFields,
  });
}

/** Locks a key until the transaction ends, so that a decision about it remains true. */
export async function lockKey(db: Db, { organisationId }: OrgScope, id: number): Promise<void> {
  await db.$executeRaw`SELECT 1 FROM api_key WHERE organisation_id = ${organisationId} AND id = ${id} FOR NO KEY UPDATE`;
}

/** Locks the admin keys of an organisation until the transaction ends, in one order to avoid deadlocks. */
export async function lockAdminKeys(db: Db, { organisationId }: OrgScope): Promise<void> {
  await db.$executeRaw`SELECT 1 FROM api_key WHERE organisation_id = ${organisationId} AND kind = 'admin' ORDER BY id FOR NO KEY UPDATE`;
}

/** Returns the number of other admin keys that are usable and do not expire. A key stops with its owner. */
export const countOtherAdminKeys = (db: Db, { organisationId }: OrgScope, id: number): Promise<number> =>
  db.apiKey.count({
    where: {
      organisationId,
      kind: "admin",
      status: "active",
      expiresAt: null,
      id: { not: id },
      OR: [{ userId: null }, { user: { status: "active" } }],
    },
  });

/**
 * Returns the facts that `effectivePayer` needs about a key, except the wallet of its project, and the names of the
 * possible payers.
 */
export async function readPayerFacts(
  db: Db,
  { organisationId, projectId, userId }: { organisationId: number; projectId: number | null; userId: number | null },
): Promise<
  Omit<PayerFacts, "fundedProjectId"> & { names: Record<"project" | "user" | "organisation", (id: number) => string> }
> {
  const person = { id: true, name: true, email: true, status: true, billingExempt: true, billingMode: true } as const;
  const organisation = await db.organisation.findUniqueOrThrow({
    where: { id: organisationId },
    select: { id: true, name: true, billingExempt: true, billingUserId: true },
  });
  const delegatedId = userId === null ? null : await findDelegatedPayer(db, { organisationId, userId });
  const ids = [userId, organisation.billingUserId, delegatedId].filter((id) => id !== null);
  const people = ids.length === 0 ? [] : await db.user.findMany({ where: { id: { in: ids } }, select: person });
  const project =
    projectId === null ? null : await db.project.findUnique({ where: { id: projectId }, select: { name: true } });
  const find = (id: number | null) => people.find((each) => each.id === id) ?? null;
  const names = {
    project: () => project?.name ?? "",
    user: (id: number) => find(id)?.name || (find(id)?.email ?? ""),
    organisation: () => organisation.name,
  };
  return {
    owner: find(userId),
    billingUser: find(organisation.billingUserId),
    delegatedPayer: find(delegatedId),
    organisation,
    names,
  };
}

/** Returns the colleague in the same organisation who has an accepted agreement to pay for a person. */
async function findDelegatedPayer(
  db: Db,
  { organisationId, userId }: { organisationId: number; userId: number },
): Promise<number | null> {
  const [row] = await db.$queryRaw<{ id: number }[]>`
    SELECT p.id FROM payer_delegation d JOIN app_user p ON p.id = d.payer_id
     WHERE d.user_id = ${userId} AND d.accepted_at IS NOT NULL AND d.ended_at IS NULL AND p.organisation_id = ${organisationId}`;
  return row?.id ?? null;
}

/**
 * Returns the autorouter settings of a person, if any, and an organisation; null: there is no such person or
 * organisation.
 */
export async function findAutorouterSettings(
  db: Db,
  { userId, organisationId }: { userId: number | null; organisationId: number },
): Promise<{ user: AutorouterSetting | null; organisation: AutorouterSetting | null }> {
  const [row] = await db.$queryRaw<{ user: AutorouterSetting | null; organisation: AutorouterSetting | null }[]>`
    SELECT (SELECT json_build_object('autorouter', autorouter, 'autorouterDefault', autorouter_default)
              FROM app_user WHERE id = ${userId}) AS "user",
           (SELECT json_build_object('autorouter', autorouter, 'autorouterDefault', autorouter_default)
              FROM organisation WHERE id = ${organisationId}) AS organisation`;
  return row!;
}

/** Returns the public ids of an organisation's keys, by table id. */
export const findPublicIds = (db: Db, { organisationId }: OrgScope, ids: readonly number[]) =>
  db.apiKey.findMany({ where: { organisationId, id: { in: [...ids] } }, select: { id: true, publicId: true } });
