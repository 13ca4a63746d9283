import type { RouterContextProvider } from "react-router";
import { refusedFormOf } from "~/access/flash.server";
import { type Db, db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { mailSenderOf } from "~/domain/organisations/index.server";
import { type DelegationNews, listDelegations } from "~/domain/payers/index.server";
import { isLanguage } from "~/i18n/languages";
import { sendPayerAccepted, sendPayerQuestion } from "~/mail/payer-emails.server";

/** Returns the data of the card for payments between colleagues. */
export async function readDelegatedCard(actor: Actor, context: Readonly<RouterContextProvider>) {
  return {
    delegations: await listDelegations(db(), actor),
    refused: refusedFormOf(context, "/dashboard/billing/delegated-payer"),
  };
}

/** Queues the email that asks a colleague. `tx`: the transaction of the request. */
export async function mailQuestion(
  tx: Db,
  actor: Actor,
  { kind, asked }: { kind: "offer" | "request"; asked: DelegationNews },
): Promise<void> {
  await sendPayerQuestion(tx, { ...(await addressed(tx, actor, asked)), kind, asker: actor.name || actor.email });
}

/** Notifies a person that their wallet starts to pay for a colleague. */
export async function mailAccepted(
  tx: Db,
  actor: Actor,
  accepted: { payer: DelegationNews; user: DelegationNews } | null,
): Promise<void> {
  if (accepted === null) return;
  const { payer, user } = accepted;
  await sendPayerAccepted(tx, { ...(await addressed(tx, actor, payer)), person: user.name || user.email });
}

/** Both people are in the actor's organisation. */
async function addressed(tx: Db, { organisationId }: Actor, { email, name, language }: DelegationNews) {
  const { brand, origin } = await mailSenderOf(tx, organisationId);
  return {
    to: email,
    name,
    language: isLanguage(language) ? language : ("en" as const),
    brand,
    url: `${origin}/dashboard/billing#delegated-payer`,
  };
}
