import { config } from "~/config.server";
import type { Db } from "~/connection/db.server";
import { findMailSender } from "./switch-store";

/**
 * Returns the brand and the portal address for an email to an organisation's people: those of the organisation or of
 * its reseller, if one has its own portal, otherwise the installation's.
 */
export async function mailSenderOf(db: Db, organisationId: number): Promise<{ brand: string; origin: string }> {
  const { origin, protocol, port } = new URL(config().baseUrl);
  const sender = await findMailSender(db, organisationId);
  const face = [sender, sender?.reseller ?? null].find((each) => each !== null && each.portalDomain !== null);
  if (!face) return { brand: "gw", origin };
  return {
    brand: face.brandName ?? face.name,
    origin: `${protocol}//${face.portalDomain}${port ? `:${port}` : ""}`,
  };
}
