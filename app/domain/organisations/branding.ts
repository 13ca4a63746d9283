import type { Db } from "~/db.server";
import { findBranding } from "./switch-store";

/** How an organisation wants the portal to look for its people; nulls where it has not said. */
export type Branding = { brandName: string | null; accentColour: string | null };

/** The branding of an organisation, or of the reseller above it where it has none of its own. */
export async function brandingOf(db: Db, organisationId: number): Promise<Branding> {
  return (await findBranding(db, organisationId)) ?? { brandName: null, accentColour: null };
}
