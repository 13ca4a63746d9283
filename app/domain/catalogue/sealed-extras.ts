import type { Db } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { CannotOpen, resealed, seal, unseal } from "~/sealing/sealing.server";
import type { SupplierExtras } from "./shared";
import { listSealedExtras, replaceSealedExtras } from "./store";

const placeOf = (supplier: string): string => `supplier/${supplier}/extras`;

/** Seals extras for the database; those that are unchanged keep their sealed text. null: none. */
export function sealExtras(
  supplier: string,
  extras: SupplierExtras | undefined,
  present: string | null,
): string | null {
  if (extras === undefined) return null;
  const text = JSON.stringify(extras);
  if (present !== null && textOf(supplier, present) === text) return present;
  return seal(text, placeOf(supplier));
}

/**
 * Decrypts the extras of a supplier; undefined: it has none. Null if no secret decrypts them, which is logged: such a
 * supplier must not be called, because its requests would lack them.
 */
export function openExtras(supplier: string, sealed: string | null): SupplierExtras | undefined | null {
  if (sealed === null) return undefined;
  const text = textOf(supplier, sealed);
  if (text === null)
    log.error({ supplier }, "the headers and query parameters of a supplier are lost: no GW_SECRET opens them");
  return text === null ? null : (JSON.parse(text) as SupplierExtras);
}

/** Seals every supplier's extras with the first GW_SECRET. Safe to repeat. */
export async function resealExtras(db: Db): Promise<void> {
  for (const { name, sealedExtras } of await listSealedExtras(db)) {
    try {
      const fresh = sealedExtras === null ? null : resealed(sealedExtras, placeOf(name));
      if (sealedExtras !== null && fresh !== null)
        await replaceSealedExtras(db, name, { from: sealedExtras, to: fresh });
    } catch (error) {
      // Reported when the catalogue is read.
      if (!(error instanceof CannotOpen)) throw error;
    }
  }
}

function textOf(supplier: string, sealed: string): string | null {
  try {
    return unseal(sealed, placeOf(supplier));
  } catch (error) {
    if (error instanceof CannotOpen) return null;
    throw error;
  }
}
