import { inTransaction, publish } from "~/bus.server";
import type { Db } from "~/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { NewAuditEvent } from "~/domain/activity/shared";
import { apiError } from "~/errors/app-error";
import { findSupplier } from "./administer-store";
import { addModels, addRoutes, listServed } from "./import-models-store";
import type { SuggestedPrice } from "./presets/suggest";
import { appendPrices, lockCatalogue } from "./store";

/** Models of a supplier's own list with their prices; `leftOut`: how many of the list are not among them, for the record. */
export type ModelImport = {
  supplierId: number;
  models: readonly (SuggestedPrice & { id: string })[];
  leftOut: number;
};

/** The names of the models that are served now and were not before, and of those that were. */
export type ImportResult = { added: string[]; known: string[] };

/**
 * Serves models of a supplier that platform admins manage at their list prices, all in one transaction or none. What is served
 * already keeps its price, so repeating it changes nothing. One record in the audit log names what was added.
 * @throws AppError not_found; conflict for a supplier of the configuration
 */
export function importModels(db: Db, by: NewAuditEvent["by"], wanted: ModelImport): Promise<ImportResult> {
  const { supplierId, leftOut } = wanted;
  const models = [...new Map(wanted.models.map((model) => [model.id, model])).values()];
  return inTransaction(db, async (tx) => {
    await lockCatalogue(tx);
    const supplier = await findSupplier(tx, supplierId);
    if (supplier === null || supplier.status === "inactive") throw apiError("not_found");
    if (supplier.source !== "portal") throw apiError("conflict", { key: "rejections:supplierOfConfig" });
    const known = await listServed(
      tx,
      supplierId,
      models.map(({ id }) => id),
    );
    const isKnown = new Set(known);
    const fresh = models.filter(({ id }) => !isKnown.has(id));
    const added = fresh.map(({ id }) => id);
    if (added.length === 0) return { added, known };
    await addModels(
      tx,
      supplier.name,
      fresh.map(({ price: _, ...model }) => model),
    );
    await addRoutes(tx, supplierId, added);
    const ways = fresh.map(({ id, price }) => ({ modelId: id, supplier: supplier.name, upstreamModel: id, price }));
    await appendPrices(tx, ways);
    await recordAuditEvent(tx, {
      by,
      action: "supplier.import",
      target: { kind: "supplier", id: supplierId, label: supplier.name },
      organisationId: null,
      after: { models: added, added: added.length, known: known.length, left_out: leftOut },
    });
    await publish(tx, "catalogue");
    return { added, known };
  });
}
