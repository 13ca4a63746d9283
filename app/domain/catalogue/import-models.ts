import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { NewAuditEvent } from "~/domain/activity/shared";
import { apiError } from "~/errors/app-error";
import { findSupplier } from "./administer/administer-store";
import { addModels, addRoutes, listServed } from "./import-models-store";
import type { SuggestedPrice } from "./presets/suggest";
import { appendPrices, lockCatalogue } from "./store";

/**
 * Models of a supplier's own list with prices; `leftOut`: number of listed models that are not imported, for the audit
 * log.
 */
export type ModelImport = {
  supplierId: number;
  models: readonly (SuggestedPrice & { id: string })[];
  leftOut: number;
};

/** Names of newly served models, and of models that were served before. */
export type ImportResult = { added: string[]; known: string[] };

/**
 * Serves models of a supplier that platform admins manage at their list prices, all in one transaction. A model that is
 * already served keeps its price, so a second call changes nothing. One audit event names the added models.
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
