import type { Db } from "~/db.server";
import type { Prisma } from "~/generated/prisma/client";
import type { TokenEvent, TokenLogQuery } from "./shared";

const fields = {
  id: true,
  supplierId: true,
  name: true,
  kind: true,
  source: true,
  position: true,
  active: true,
  sealedToken: true,
  sealedRefreshToken: true,
  tokenUrl: true,
  clientId: true,
  fileDigest: true,
  expiresAt: true,
  refreshedAt: true,
  generation: true,
  state: true,
  failures: true,
  retryAt: true,
  supplier: { select: { name: true, region: true, status: true } },
} satisfies Prisma.SupplierCredentialSelect;

export type CredentialRow = Prisma.SupplierCredentialGetPayload<{ select: typeof fields }>;

/** Credentials that may be used, in the order of their suppliers' lists. */
export const listActive = (db: Db): Promise<CredentialRow[]> =>
  db.supplierCredential.findMany({
    where: { active: true },
    select: fields,
    orderBy: [{ supplierId: "asc" }, { position: "asc" }, { id: "asc" }],
  });

/** Every credential of some suppliers, also those put aside. */
export const listOf = (db: Db, supplierIds: readonly number[]): Promise<CredentialRow[]> =>
  db.supplierCredential.findMany({ where: { supplierId: { in: [...supplierIds] } }, select: fields });

export const listAll = (db: Db): Promise<CredentialRow[]> => db.supplierCredential.findMany({ select: fields });

export const findRow = (db: Db, id: number): Promise<CredentialRow | null> =>
  db.supplierCredential.findUnique({ where: { id }, select: fields });

export const findByName = (db: Db, supplierId: number, name: string): Promise<CredentialRow | null> =>
  db.supplierCredential.findUnique({ where: { supplierId_name: { supplierId, name } }, select: fields });

/** What a writer decides of a credential; everything that a renewal writes is separate. */
export type CredentialContent = Pick<
  CredentialRow,
  | "kind"
  | "source"
  | "position"
  | "active"
  | "sealedToken"
  | "sealedRefreshToken"
  | "tokenUrl"
  | "clientId"
  | "fileDigest"
  | "expiresAt"
>;

/** Writes a credential with new secrets: whatever was known of the old ones is over. */
export async function saveWithSecrets(
  db: Db,
  key: { supplierId: number; name: string },
  content: CredentialContent,
): Promise<void> {
  const fresh = { refreshedAt: null, state: "usable", failures: 0, retryAt: null, leaseOwner: null, leaseUntil: null };
  await db.supplierCredential.upsert({
    where: { supplierId_name: key },
    create: { ...key, ...content },
    update: { ...content, ...fresh, generation: { increment: 1 } },
    select: { id: true },
  });
}

/** Changes what is not secret about a credential. */
export async function saveSettings(
  db: Db,
  id: number,
  settings: Pick<CredentialContent, "source" | "position" | "active" | "tokenUrl" | "clientId">,
): Promise<void> {
  await db.supplierCredential.update({ where: { id }, data: settings, select: { id: true } });
}

export async function deleteRow(db: Db, id: number): Promise<void> {
  await db.supplierCredential.deleteMany({ where: { id } });
}

/** Puts a credential aside, with all it has: its newest tokens are nowhere else. */
export async function putAside(db: Db, id: number): Promise<void> {
  await db.supplierCredential.update({ where: { id }, data: { active: false }, select: { id: true } });
}

/** Exchanges sealed texts for the same in another seal, unless somebody has written new ones. */
export const replaceSeals = (
  db: Db,
  { id, sealedToken, sealedRefreshToken }: CredentialRow,
  token: string | null,
  refreshToken: string | null,
) => db.$executeRaw`
  UPDATE supplier_credential SET sealed_token = ${token}, sealed_refresh_token = ${refreshToken}
  WHERE id = ${id} AND sealed_token IS NOT DISTINCT FROM ${sealedToken}
    AND sealed_refresh_token IS NOT DISTINCT FROM ${sealedRefreshToken}`;

export type Claimed = { sealed_refresh_token: string; token_url: string; client_id: string };

/**
 * Takes the right to renew a token of one generation; null while somebody else has it, while a failed try is to be
 * waited out, and when there is a newer token already. It ends by itself after `leaseSeconds`.
 */
export async function claimRenewal(
  db: Db,
  { id, generation, owner, leaseSeconds }: { id: number; generation: number; owner: string; leaseSeconds: number },
): Promise<Claimed | null> {
  const [claimed] = await db.$queryRaw<Claimed[]>`
    UPDATE supplier_credential
    SET lease_owner = ${owner}, lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}::int)
    WHERE id = ${id} AND generation = ${generation} AND active AND kind = 'oauth' AND state = 'usable'
      AND (lease_until IS NULL OR lease_until < clock_timestamp())
      AND (retry_at IS NULL OR retry_at <= clock_timestamp())
    RETURNING sealed_refresh_token, token_url, client_id`;
  return claimed ?? null;
}

/**
 * Writes renewed tokens; false when somebody has written newer ones meanwhile. `refreshToken` null: the old one stays.
 * Whoever was refused with the old one meanwhile has been so because of these.
 */
export async function saveRenewed(
  db: Db,
  { id, generation }: { id: number; generation: number },
  renewed: { token: string; refreshToken: string | null; expiresInSeconds: number | null },
): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE supplier_credential
    SET sealed_token = ${renewed.token}, sealed_refresh_token = coalesce(${renewed.refreshToken}, sealed_refresh_token),
      expires_at = clock_timestamp() + make_interval(secs => ${renewed.expiresInSeconds}::double precision),
      refreshed_at = clock_timestamp(), generation = generation + 1, failures = 0, retry_at = NULL,
      state = 'usable', lease_owner = NULL, lease_until = NULL
    WHERE id = ${id} AND generation = ${generation}`;
  return changed > 0;
}

/** Gives the right to renew back after a failure: not again before `retrySeconds`, and never again once it is `revoked`. */
export async function saveFailure(
  db: Db,
  { id, generation, owner }: { id: number; generation: number; owner: string },
  { retrySeconds, revoked }: { retrySeconds: number; revoked: boolean },
): Promise<void> {
  await db.$executeRaw`
    UPDATE supplier_credential
    SET failures = failures + 1, retry_at = clock_timestamp() + make_interval(secs => ${retrySeconds}::double precision),
      state = CASE WHEN ${revoked} THEN 'revoked' ELSE state END, lease_owner = NULL, lease_until = NULL
    WHERE id = ${id} AND generation = ${generation} AND lease_owner = ${owner}`;
}

export type CountedEvent = TokenEvent & { at: Date; count: number };

export async function insertEvents(db: Db, events: readonly CountedEvent[]): Promise<void> {
  await db.tokenEvent.createMany({ data: [...events] });
}

/** A page of the log, newest first, and how many events the query finds in all. */
export async function findEvents(db: Db, query: TokenLogQuery, now: Date) {
  const since = Math.max(query.since_ms, query.window_hours === 0 ? 0 : now.getTime() - query.window_hours * 3_600_000);
  const where: Prisma.TokenEventWhereInput = { at: { gte: new Date(since) } };
  if (query.provider !== "") where.provider = query.provider;
  if (query.key_name !== "") where.keyName = query.key_name;
  if (query.source !== "") where.source = query.source;
  if (query.error_kind !== "") where.errorKind = query.error_kind;
  if (query.kinds.length > 0) where.kind = { in: query.kinds };
  const rows = await db.tokenEvent.findMany({
    where,
    orderBy: [{ at: "desc" }, { id: "desc" }],
    skip: query.offset,
    take: query.limit,
  });
  return { rows, total: await db.tokenEvent.count({ where }) };
}

/** Deletes events older than `days`. Returns how many there were. */
export const pruneEvents = (db: Db, days: number) =>
  db.$executeRaw`DELETE FROM token_event WHERE at < now() - make_interval(days => ${days}::int)`;
