import { db } from "~/db.server";
import { sealAlertWebhooks } from "~/domain/budgets/index.server";
import { sealKeyWebhooks } from "~/domain/keys/index.server";
import { sealOrganisationWebhooks } from "~/domain/organisations/index.server";
import { mayBeSealed } from "~/sealed-address.server";

/** Seals addresses of webhooks that earlier releases have stored in the clear, once none of these can be running. Returns how many. */
export async function sealAddresses(): Promise<number> {
  if (!(await mayBeSealed(db()))) return 0;
  return (await sealOrganisationWebhooks(db())) + (await sealKeyWebhooks(db())) + (await sealAlertWebhooks(db()));
}
