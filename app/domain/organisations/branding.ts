import type { Db } from "~/db.server";
import { type Branding, findBranding } from "./switch-store";

/** The branding of an organisation, or of the reseller above it where it has none of its own. */
export async function brandingOf(db: Db, organisationId: number): Promise<Branding> {
  return (await findBranding(db, organisationId)) ?? { brandName: null, accentColour: null };
}
