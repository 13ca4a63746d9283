import { db } from "~/db.server";
import { freeHolds } from "~/domain/accounting/index.server";
import { refuseSupplierBatch, sentLines, undoSupplierBatch } from "~/domain/batches/index.server";
import type { SupplierBatch } from "~/domain/batches/shared";

/** Frees what is held for lines that the supplier certainly has not got, and lets them wait for another batch. Safe to repeat. */
export async function undo(supplierBatch: SupplierBatch): Promise<void> {
  await freeAll(supplierBatch, "not sent");
  await undoSupplierBatch(db(), supplierBatch.id);
}

/** The same where the supplier takes no batches: its lines, and others for it, are carried out as calls. */
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
