import { db } from "~/connection/db.server";
import { freeHolds } from "~/domain/accounting/index.server";
import { refuseSupplierBatch, sentLines, undoSupplierBatch } from "~/domain/batches/index.server";
import type { SupplierBatch } from "~/domain/batches/shared";

/**
 * Releases the holds of lines that the supplier certainly did not receive, and returns the lines to the queue for
 * another batch. May be repeated.
 */
export async function undo(supplierBatch: SupplierBatch): Promise<void> {
  await freeAll(supplierBatch, "not sent");
  await undoSupplierBatch(db(), supplierBatch.id);
}

/** Does the same if the supplier accepts no batches: its lines, and the route's unsent ones, are executed as calls. */
export async function sendAsCallsInstead(supplierBatch: SupplierBatch, reason: string): Promise<void> {
  await freeAll(supplierBatch, "the supplier takes no batches");
  await refuseSupplierBatch(db(), supplierBatch, reason);
}

async function freeAll({ id }: SupplierBatch, reason: string): Promise<void> {
  const lines = await sentLines(db(), id);
  if (lines.length > 0)
    await freeHolds(
      lines.map(({ callId }) => callId),
      reason,
    );
}
