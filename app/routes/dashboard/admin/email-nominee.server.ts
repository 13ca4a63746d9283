import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { mailSenderOf, type Nominee } from "~/domain/organisations/index.server";
import { isLanguage } from "~/i18n/languages";
import { sendPayerNomination } from "~/mail/emails.server";

/** Queues an email that asks a person to pay for their organisation. `tx`: the transaction of the request. */
export async function emailNominee(tx: Db, actor: Actor, nominee: Nominee | null): Promise<void> {
  if (nominee === null) return;
  const { email, name, language, organisation } = nominee;
  const { brand, origin } = await mailSenderOf(tx, nominee.organisationId);
  await sendPayerNomination(tx, {
    to: email,
    name,
    language: isLanguage(language) ? language : "en",
    brand,
    url: `${origin}/dashboard/settings`,
    organisation,
    asker: actor.name || actor.email,
  });
}
