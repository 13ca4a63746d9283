import { db } from "~/connection/db.server";
import { sealAlertWebhooks } from "~/domain/budgets/index.server";
import { sealGuardrailWebhooks } from "~/domain/guardrails/index.server";
import { mayBeSealed } from "~/sealing/sealed-address.server";

/**
 * Seals webhook addresses that earlier releases stored unencrypted, once no such release can be running. Returns their
 * number.
 */
export async function sealAddresses(): Promise<number> {
  if (!(await mayBeSealed(db()))) return 0;
  return (await sealGuardrailWebhooks(db())) + (await sealAlertWebhooks(db()));
}
