import type { Db } from "~/connection/db.server";
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

/** Lists the active credentials, in the order of their suppliers' lists. */
export const listActive = (db: Db): Promise<CredentialRow[]> =>
  db.supplierCredential.findMany({
    where: { active: true },
    select: fields,
    orderBy: [{ supplierId: "asc" }, { position: "asc" }, { id: "asc" }],
  });

/** Lists every credential of some suppliers, also inactive ones. */
export const listOf = (db: Db, supplierIds: readonly number[]): Promise<CredentialRow[]> =>
  db.supplierCredential.findMany({ where: { supplierId: { in: [...supplierIds] } }, select: fields });

export const listAll = (db: Db): Promise<CredentialRow[]> => db.supplierCredential.findMany({ select: fields });

export const findRow = (db: Db, id: number): Promise<CredentialRow | null> =>
  db.supplierCredential.findUnique({ where: { id }, select: fields });

export const findByName = (db: Db, supplierId: number, name: string): Promise<CredentialRow | null> =>
  db.supplierCredential.findUnique({ where: { supplierId_name: { supplierId, name } }, select: fields });

/** The fields that the catalogue file or a form determines; a renewal writes the others. */
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

/** Writes a credential with new secrets, and resets the state of the old ones. */
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

/** Changes the fields of a credential that are not secret. */
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

/** Deactivates a credential but keeps its tokens: the newest ones are stored only here. */
export async function putAside(db: Db, id: number): Promise<void> {
  await db.supplierCredential.update({ where: { id }, data: { active: false }, select: { id: true } });
}

/** Replaces sealed texts by the same texts under another key, unless the row has changed. */
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
 * Claims the renewal of a token generation. Null: another process has the lease, the pause after a failed attempt is
 * not over, or there is a newer token. The lease expires after `leaseSeconds`.
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
 * Writes renewed tokens; false if there are newer ones. `refreshToken` null: the old one stays. Sets the state to
 * usable: an attempt with the old refresh token may have been rejected only because of this renewal.
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

/** Releases the lease after a failure. The next attempt is possible after `retrySeconds`, or never if `revoked`. */
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

/** Returns a page of the log, newest first, and the number of all matching events. */
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

/** Deletes events older than `days`. Returns their number. */
export const pruneEvents = (db: Db, days: number) =>
  db.$executeRaw`DELETE FROM token_event WHERE at < now() - make_interval(days => ${days}::int)`;
