import type { Db } from "~/db.server";
import { openWallet, readBalance, walletOf } from "~/domain/accounting/index.server";
import type { Payer } from "~/domain/accounting/shared";
import { type Delegation, readDelegation } from "./store";

export type EffectivePayer = { payer: Payer; name: string; walletId: number; exempt: boolean };

/**
 * Who pays for a key: its project where that has a wallet; else its person where they pay for themselves; else the
 * organisation's billing user; else the organisation. A wallet is opened when it is needed first.
 */
export async function payerOf(
  db: Db,
  key: { organisationId: number; projectId: number | null; userId: number | null },
): Promise<EffectivePayer> {
  const { organisationId, projectId } = key;
  if (projectId !== null) {
    const walletId = await walletOf(db, { kind: "project", id: projectId });
    if (walletId !== null) {
      return complete(db, { kind: "project", id: projectId, organisationId }, walletId);
    }
  }
  const delegation = await readDelegation(db, key);
  const payer = delegatedTo(delegation, organisationId);
  const walletId = (await walletOf(db, payer)) ?? (await openWallet(db, payer, { exempt: payer.exempt }));
  return complete(db, payer, walletId, payer.name);
}

/** Whether anything could be spent by a person's own keys outside of projects: funds, credit, or nobody is charged. */
export async function hasFunds(db: Db, person: { organisationId: number; userId: number }): Promise<boolean> {
  const { walletId, exempt } = await payerOf(db, { ...person, projectId: null });
  return exempt || (await readBalance(db, walletId)).availableNanoUsd > 0n;
}

function delegatedTo({ owner, organisation }: Delegation, organisationId: number) {
  // An exempt person's own wallet counts what they would have paid; nobody else is charged for them.
  const person = owner?.billingMode === "own" || owner?.billingExempt ? owner : organisation.billingUser;
  return person === null
    ? {
        kind: "organisation" as const,
        id: organisationId,
        organisationId,
        name: organisation.name,
        exempt: organisation.billingExempt,
      }
    : {
        kind: "user" as const,
        id: person.id,
        organisationId,
        name: person.name || person.email,
        exempt: person.billingExempt || organisation.billingExempt,
      };
}

async function complete(db: Db, payer: Payer, walletId: number, name = ""): Promise<EffectivePayer> {
  const { kind, id, organisationId } = payer;
  return { payer: { kind, id, organisationId }, name, walletId, exempt: (await readBalance(db, walletId)).exempt };
}
