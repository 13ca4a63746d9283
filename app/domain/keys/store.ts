import type { Db } from "~/db.server";
import { readRules } from "~/domain/guardrails/index.server";
import type { GuardrailRule, StoredGuardrailWebhook } from "~/domain/guardrails/shared";
import type { PayerFacts } from "~/domain/identity/shared";
import { Prisma } from "~/generated/prisma/client";
import { SEALED_PREFIX } from "~/sealing.server";
import type { AutorouterSetting } from "./autorouter";
import type { KeyStatus } from "./words";

/** Every key belongs to one organisation; nobody reads or changes a key without naming it. */
export type OrgScope = { organisationId: number };
/** A key by the id of the management API, or by the portal's. */
export type KeyRef = { publicId: string } | { id: number };

const keyFields = {
  id: true,
  publicId: true,
  organisationId: true,
  userId: true,
  departmentId: true,
  projectId: true,
  createdById: true,
  kind: true,
  name: true,
  secretPrefix: true,
  secretLast4: true,
  previousValidUntil: true,
  allowedModels: true,
  allowedRegions: true,
  allowedOrigins: true,
  rateLimitRpm: true,
  metadata: true,
  status: true,
  expiresAt: true,
  rotatedAt: true,
  revokedAt: true,
  createdAt: true,
} as const satisfies Prisma.ApiKeySelect;

export type KeyRow = Prisma.ApiKeyGetPayload<{ select: typeof keyFields }>;

const bytes = (buffer: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(buffer);

/** The key that a secret belongs to, now or until the end of a rotation's overlap, under any of its possible hashes. */
export function findBySecret(db: Db, hashes: readonly Uint8Array[]) {
  const any = hashes.map(bytes);
  return db.apiKey.findFirst({
    where: { OR: [{ secretHmac: { in: any } }, { previousHmac: { in: any } }] },
    select: callerFields,
  });
}

/** A person's own inference key, whatever its status. */
export const findOwnKey = (db: Db, { userId }: { userId: number }, id: number) =>
  db.apiKey.findFirst({ where: { id, userId, kind: "inference" }, select: callerFields });

/** A key of an organisation, whatever its status. */
export const findKeyOf = (db: Db, { organisationId, keyId }: { organisationId: number; keyId: number }) =>
  db.apiKey.findFirst({ where: { id: keyId, organisationId }, select: callerFields });

const callerFields = {
  ...keyFields,
  secretHmac: true,
  previousHmac: true,
  user: {
    select: {
      ...{ status: true, role: true, organisationId: true, departmentId: true },
      ...{ autorouter: true, autorouterDefault: true },
    },
  },
  guardrails: true,
  guardrailWebhook: true,
  organisation: {
    select: {
      ...{ autorouter: true, autorouterDefault: true, conversations: true },
      ...{ guardrails: true, guardrailWebhook: true },
    },
  },
} as const satisfies Prisma.ApiKeySelect;

/** The stored hashes of all admin keys that could still be used. */
export async function readAdminHashes(db: Db): Promise<Uint8Array[]> {
  const rows = await db.apiKey.findMany({
    where: { kind: "admin", status: { not: "revoked" } },
    select: { secretHmac: true, previousHmac: true },
  });
  return rows.flatMap(({ secretHmac, previousHmac }) =>
    previousHmac === null ? [secretHmac] : [secretHmac, previousHmac],
  );
}

/** Exchanges a stored hash, if it is still the one that was found. */
export async function replaceHash(db: Db, id: number, from: Uint8Array, to: Uint8Array): Promise<void> {
  const [old, fresh] = [bytes(from), bytes(to)];
  await db.apiKey.updateMany({ where: { id, secretHmac: old }, data: { secretHmac: fresh } });
  await db.apiKey.updateMany({ where: { id, previousHmac: old }, data: { previousHmac: fresh } });
}

export type NewKeyRow = {
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
  allowedModels: string[];
  allowedRegions: string[];
  allowedOrigins: string[];
  rateLimitRpm: number | null;
  metadata: Record<string, string>;
  expiresAt: Date | null;
};

export const insertKey = (db: Db, row: NewKeyRow): Promise<KeyRow> =>
  db.apiKey.create({ data: { ...row, secretHmac: bytes(row.secretHmac) }, select: keyFields });

export const findKey = (db: Db, { organisationId }: OrgScope, ref: KeyRef): Promise<KeyRow | null> =>
  db.apiKey.findFirst({
    where: { organisationId, ...("id" in ref ? { id: ref.id } : { publicId: ref.publicId }) },
    select: keyFields,
  });

/** Keys from the newest to the oldest, those before `beforeId` only. */
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

export type KeyChange = {
  name?: string;
  allowedModels?: string[];
  allowedRegions?: string[];
  allowedOrigins?: string[];
  rateLimitRpm?: number | null;
  metadata?: Record<string, string>;
  expiresAt?: Date | null;
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

/** Puts a new secret in front; the one before it stays until `previousValidUntil`, the one before that ends now. */
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

/** Keeps a key as it is until the transaction ends, so that a decision about it stays true. */
export async function lockKey(db: Db, { organisationId }: OrgScope, id: number): Promise<void> {
  await db.$executeRaw`SELECT 1 FROM api_key WHERE organisation_id = ${organisationId} AND id = ${id} FOR NO KEY UPDATE`;
}

/**
 * Keeps the admin keys of an organisation as they are until the transaction ends. One order for everybody: no deadlock.
 */
export async function lockAdminKeys(db: Db, { organisationId }: OrgScope): Promise<void> {
  await db.$executeRaw`SELECT 1 FROM api_key WHERE organisation_id = ${organisationId} AND kind = 'admin' ORDER BY id FOR NO KEY UPDATE`;
}

/** How many admin keys can be used and will not expire, besides one. A key stops with its owner. */
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

/** What `effectivePayer` asks about a key, but for the wallet of its project; and what each of those who may pay is called. */
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

/** The colleague of the same organisation whose agreement to pay for somebody is in force. */
async function findDelegatedPayer(
  db: Db,
  { organisationId, userId }: { organisationId: number; userId: number },
): Promise<number | null> {
  const [row] = await db.$queryRaw<{ id: number }[]>`
    SELECT p.id FROM payer_delegation d JOIN app_user p ON p.id = d.payer_id
     WHERE d.user_id = ${userId} AND d.accepted_at IS NOT NULL AND d.ended_at IS NULL AND p.organisation_id = ${organisationId}`;
  return row?.id ?? null;
}

/** What a person, if any, and an organisation have set about the autorouter; null: there is no such person or organisation. */
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

export async function findKeyGuardrails(
  db: Db,
  id: number,
): Promise<{ own: GuardrailRule[]; organisation: GuardrailRule[] }> {
  const { guardrails, organisation } = await db.apiKey.findUniqueOrThrow({
    where: { id },
    select: { guardrails: true, organisation: { select: { guardrails: true } } },
  });
  return { own: readRules(guardrails), organisation: readRules(organisation.guardrails) };
}

/** The webhooks that requests of a key are shown to, as they are stored. */
export async function findKeyGuardrailWebhooks(db: Db, id: number): Promise<{ own: unknown; organisation: unknown }> {
  const { guardrailWebhook, organisation } = await db.apiKey.findUniqueOrThrow({
    where: { id },
    select: { guardrailWebhook: true, organisation: { select: { guardrailWebhook: true } } },
  });
  return { own: guardrailWebhook, organisation: organisation.guardrailWebhook };
}

export async function changeStoredKeyGuardrailWebhook(
  db: Db,
  id: number,
  to: StoredGuardrailWebhook | null,
): Promise<void> {
  await db.apiKey.update({ where: { id }, data: { guardrailWebhook: to ?? Prisma.DbNull }, select: { id: true } });
}

/** Webhooks of guardrails whose address is not sealed. */
export const findKeyWebhooksInTheClear = (db: Db): Promise<{ id: number; webhook: unknown }[]> =>
  db.$queryRaw`
    SELECT id, guardrail_webhook AS webhook FROM api_key
     WHERE guardrail_webhook ->> 'url' <> '' AND NOT starts_with(guardrail_webhook ->> 'url', ${SEALED_PREFIX}::text)`;

/** Exchanges a stored webhook unless it was changed meanwhile. Returns how many it were: one or none. */
export const replaceKeyGuardrailWebhook = (
  db: Db,
  id: number,
  { from, to }: { from: unknown; to: StoredGuardrailWebhook },
): Promise<number> =>
  db.$executeRaw`
    UPDATE api_key SET guardrail_webhook = ${JSON.stringify(to)}::jsonb
     WHERE id = ${id}::int AND guardrail_webhook = ${JSON.stringify(from)}::jsonb`;

export async function changeKeyGuardrailRules(db: Db, id: number, guardrails: GuardrailRule[]): Promise<void> {
  await db.apiKey.update({ where: { id }, data: { guardrails }, select: { id: true } });
}

/** The public ids of an organisation's keys, by the ids of the table. */
export const findPublicIds = (db: Db, { organisationId }: OrgScope, ids: readonly number[]) =>
  db.apiKey.findMany({ where: { organisationId, id: { in: [...ids] } }, select: { id: true, publicId: true } });
