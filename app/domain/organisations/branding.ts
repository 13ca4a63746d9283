import type { Db } from "~/connection/db.server";
import { type Branding, findBranding } from "./switch-store";

/** Returns the branding of an organisation, or of its reseller if it has none. */
export async function brandingOf(db: Db, organisationId: number): Promise<Branding> {
  return (await findBranding(db, organisationId)) ?? { brandName: null, accentColour: null };
}
