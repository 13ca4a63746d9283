import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { recordTokenEvent } from "./record-events";
import type { GivenCredential } from "./shared";
import { deleteRow, findByName, findRow, listOf } from "./store";
import { writeCredential } from "./sync";

/**
 * Creates a credential of a supplier, or replaces its secret; sealed, and in use in every process within a second. Safe
 * to repeat.
 */
export async function saveCredential(
  db: Db,
  { supplierId, supplier, position = 0 }: { supplierId: number; supplier: string; position?: number },
  credential: GivenCredential,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const row = await findByName(tx, supplierId, credential.name);
    const place = { supplierId, supplier, source: "portal" as const, position };
    if (await writeCredential(tx, place, row, credential)) await publish(tx, "catalogue");
  });
}

/** Deletes a credential with its secrets. Safe to repeat. */
export async function removeCredential(db: Db, id: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const row = await findRow(tx, id);
    if (row === null) return;
    await deleteRow(tx, id);
    recordTokenEvent({ provider: row.supplier.name, keyName: row.name, kind: "removed", source: "portal" });
    await publish(tx, "catalogue");
  });
}

/** Deletes every credential of a supplier with its secrets. Safe to repeat. */
export async function removeCredentialsOf(db: Db, supplierId: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const { id } of await listOf(tx, [supplierId])) await removeCredential(tx, id);
  });
}
