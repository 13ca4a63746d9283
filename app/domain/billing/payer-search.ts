import type { Db } from "~/connection/db.server";
import { readBalance, walletOf } from "~/domain/accounting/index.server";
import { type Actor, atLeast } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import { findPayer } from "./hand-store";
import type { PayerChoice, PayerKind } from "./shared";

const MAX_OF_A_KIND = 10;

/**
 * Finds payers whose name or email address contains a text: at most ten of each kind, by name. An empty text finds
 * none.
 * @throws AppError forbidden below platform admins
 */
export async function searchPayers(db: Db, actor: Actor, text: string): Promise<PayerChoice[]> {
  if (!atLeast(actor.role, "platform_admin")) throw apiError("forbidden");
  if (text === "") return [];
  const has = { contains: text, mode: "insensitive" } as const;
  const some = { take: MAX_OF_A_KIND, orderBy: { name: "asc" } } as const;
  const organisation = { select: { name: true } } as const;
  const [organisations, people, projects] = await Promise.all([
    db.organisation.findMany({ ...some, where: { closedAt: null, name: has }, select: { id: true, name: true } }),
    db.user.findMany({
      ...some,
      where: { status: { not: "deleted" }, OR: [{ name: has }, { email: has }] },
      select: { id: true, name: true, email: true, organisation },
    }),
    db.project.findMany({
      ...some,
      where: { name: has, organisation: { closedAt: null } },
      select: { id: true, name: true, organisation },
    }),
  ]);
  return [
    ...organisations.map(({ id, name }) => ({ kind: "organisation" as const, id, name, about: null })),
    ...people.map(({ id, name, email, organisation: { name: of } }) => ({
      kind: "user" as const,
      id,
      name: name || email,
      about: `${email} · ${of}`,
    })),
    ...projects.map(({ id, name, organisation: { name: about } }) => ({ kind: "project" as const, id, name, about })),
  ];
}

/**
 * Returns a payer for a credit by hand, with the balance of their wallet in nano-USD (null: they have none yet). Null
 * when the payer does not exist.
 * @throws AppError forbidden below platform admins
 */
export async function readPayerChoice(
  db: Db,
  actor: Actor,
  payer: { kind: PayerKind; id: number },
): Promise<{ kind: PayerKind; id: number; name: string; balanceNanoUsd: bigint | null } | null> {
  if (!atLeast(actor.role, "platform_admin")) throw apiError("forbidden");
  const match = await findPayer(db, payer);
  if (match === null) return null;
  const walletId = await walletOf(db, payer);
  const balanceNanoUsd = walletId === null ? null : (await readBalance(db, walletId)).postedNanoUsd;
  return { ...payer, name: match.name, balanceNanoUsd };
}
