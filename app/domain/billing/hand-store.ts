import type { Db } from "~/connection/db.server";
import type { PayerKind } from "./shared";

type Found = { organisationId: number; name: string; exempt: boolean };

/** Returns the payer for whom a wallet is opened; null for one that does not exist or is closed. */
export async function findPayer(db: Db, { kind, id }: { kind: PayerKind; id: number }): Promise<Found | null> {
  if (kind === "organisation") {
    const row = await db.organisation.findFirst({
      where: { id, closedAt: null },
      select: { name: true, billingExempt: true },
    });
    return row && { organisationId: id, name: row.name, exempt: row.billingExempt };
  }
  if (kind === "project") {
    const row = await db.project.findFirst({
      where: { id, organisation: { closedAt: null } },
      select: { name: true, organisationId: true, organisation: { select: { billingExempt: true } } },
    });
    return row && { organisationId: row.organisationId, name: row.name, exempt: row.organisation.billingExempt };
  }
  const row = await db.user.findFirst({
    where: { id, status: { not: "deleted" } },
    select: {
      email: true,
      organisationId: true,
      billingExempt: true,
      organisation: { select: { billingExempt: true } },
    },
  });
  if (row === null) return null;
  const exempt = row.billingExempt || row.organisation.billingExempt;
  return { organisationId: row.organisationId, name: row.email, exempt };
}

export async function lockWallet(tx: Db, walletId: number): Promise<void> {
  await tx.$queryRaw`SELECT id FROM ledger_account WHERE id = ${walletId}::bigint FOR NO KEY UPDATE`;
}

export async function isPosted(tx: Db, key: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 AS one FROM ledger_txn WHERE idem_key = ${key}`;
  return rows.length > 0;
}
