import type { Db } from "~/db.server";
import { findLook } from "./switch-store";

/** How an organisation wants the portal to look for its people; nulls where it has not said. */
export type Look = { brandName: string | null; accentColour: string | null };

/** The look of an organisation, or of the reseller above it where it has none of its own. */
export async function lookOf(db: Db, organisationId: number): Promise<Look> {
  const own = await findLook(db, organisationId);
  return {
    brandName: own?.brandName ?? own?.reseller?.brandName ?? null,
    accentColour: own?.accentColour ?? own?.reseller?.accentColour ?? null,
  };
}
