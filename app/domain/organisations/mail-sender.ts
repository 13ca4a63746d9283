import { config } from "~/config.server";
import type { Db } from "~/db.server";
import { findMailSender } from "./switch-store";

/**
 * In whose name an email to an organisation's people is written, and at which portal its links lead: those of the organisation or of
 * the reseller above it, where that has a portal of its own, else the installation's.
 */
export async function mailSenderOf(db: Db, organisationId: number): Promise<{ brand: string; origin: string }> {
  const { origin, protocol, port } = new URL(config().baseUrl);
  const found = await findMailSender(db, organisationId);
  const face = [found, found?.reseller ?? null].find((each) => each !== null && each.portalDomain !== null);
  if (!face) return { brand: "gw", origin };
  return {
    brand: face.brandName ?? face.name,
    origin: `${protocol}//${face.portalDomain}${port ? `:${port}` : ""}`,
  };
}
