import { config } from "~/config.server";
import type { Db } from "~/db.server";
import type { Actor } from "~/domain/identity/shared";
import type { Nominee } from "~/domain/organisations/index.server";
import { isLanguage } from "~/i18n/languages";
import { sendPayerNomination } from "~/mail/emails.server";

/** Puts the question whether somebody pays for their organisation into the outbox. `tx`: the transaction that asks. */
export async function askPayer(tx: Db, actor: Actor, nominee: Nominee | null): Promise<void> {
  if (nominee === null) return;
  const { email, name, language, organisation } = nominee;
  await sendPayerNomination(tx, {
    to: email,
    name,
    language: isLanguage(language) ? language : "en",
    brand: "gw",
    url: `${config().baseUrl}/dashboard/settings`,
    organisation,
    asker: actor.name || actor.email,
  });
}
