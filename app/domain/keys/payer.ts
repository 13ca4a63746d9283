import type { Db } from "~/connection/db.server";
import { openWallet, readBalance, walletOf } from "~/domain/accounting/index.server";
import type { Payer } from "~/domain/accounting/shared";
import { effectivePayer, type PayerReason } from "~/domain/payers/shared";
import { readPayerFacts } from "./store";

export type EffectivePayer = { payer: Payer; name: string; reason: PayerReason; walletId: number; exempt: boolean };

/**
 * Returns who pays for a key and why, as `effectivePayer` decides, with their wallet, which is opened on first use. A
 * call's hold fixes the wallet: an admitted call is paid by it, whatever changes later.
 */
export async function payerOf(
  db: Db,
  key: { organisationId: number; projectId: number | null; userId: number | null },
): Promise<EffectivePayer> {
  const { organisationId, projectId } = key;
  const projectWallet = projectId === null ? null : await walletOf(db, { kind: "project", id: projectId });
  const { names, ...facts } = await readPayerFacts(db, key);
  const choice = effectivePayer({ ...facts, fundedProjectId: projectWallet === null ? null : projectId });
  const payer = { kind: choice.kind, id: choice.id, organisationId };
  const walletId =
    projectWallet ?? (await walletOf(db, payer)) ?? (await openWallet(db, payer, { exempt: choice.exempt }));
  const { exempt } = await readBalance(db, walletId);
  return { payer, name: names[choice.kind](choice.id), reason: choice.reason, walletId, exempt };
}

/**
 * Returns whether a person's own keys can spend outside of projects: there are funds or credit, or the payer is exempt.
 */
export async function hasFunds(db: Db, person: { organisationId: number; userId: number }): Promise<boolean> {
  const { walletId, exempt } = await payerOf(db, { ...person, projectId: null });
  return exempt || (await readBalance(db, walletId)).availableNanoUsd > 0n;
}
