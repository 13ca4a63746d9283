import { inTransaction, publish } from "~/bus.server";
import type { Db } from "~/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { NewAuditEvent } from "~/domain/activity/shared";
import { apiError } from "~/errors/app-error";
import { formatUsd } from "~/money";
import { type Amounts, addPrice, findModel, latestPrice, putModel, putRoute } from "./administer-prices-store";
import { findSupplier } from "./administer-store";
import type { Capability } from "./shared";
import { lockCatalogue } from "./store";

/** What a supplier charges for a model, from a moment on. Amounts are nano-USD, null where nobody says another than the rest. */
export type NewPrice = {
  supplierId: number;
  modelId: string;
  /** The supplier's own name for it. */
  upstreamModel: string;
  /** What the model is, where there is none of that id. */
  model: { capability: Capability; contextTokens: number; maxOutputTokens: number; ownedBy: string };
  amounts: Amounts;
  /** Null: at once. */
  from: Date | null;
};

const MINUTE_MS = 60_000;
const MAX_AHEAD_MS = 366 * 86_400_000;

/**
 * Says what a supplier that platform admins manage charges for a model, now or from a moment on; makes the model and the way to
 * serve it where they are not there. Calls under way are charged the price that they were admitted at, and former prices stay.
 * In the audit log with the price before. Safe to repeat: the same price again changes nothing. Answers whether it is another.
 * @throws AppError not_found; conflict for a supplier of the configuration; invalid_request for a moment that is over or far away
 */
export async function setPrice(db: Db, by: NewAuditEvent["by"], wanted: NewPrice): Promise<{ isChanged: boolean }> {
  const { supplierId, modelId, upstreamModel, amounts } = wanted;
  const from = wanted.from === null ? null : laterMoment(wanted.from);
  return inTransaction(db, async (tx) => {
    await lockCatalogue(tx);
    const supplier = await findSupplier(tx, supplierId);
    if (supplier === null || supplier.status === "inactive") throw apiError("not_found");
    if (supplier.source !== "portal") throw apiError("conflict", { key: "rejections:supplierOfConfig" });
    const model = await findModel(tx, modelId);
    if (model?.active !== true) await putModel(tx, { id: modelId, ...wanted.model });
    const routeId = await putRoute(tx, { modelId, supplierId, upstreamModel });
    const before = await latestPrice(tx, routeId);
    const isChanged = before === null || from !== null || facts(before) !== facts(amounts);
    if (isChanged) {
      await addPrice(tx, routeId, amounts, from);
      await recordAuditEvent(tx, {
        by,
        action: "price.update",
        target: { kind: "price", id: routeId, label: `${modelId} · ${supplier.name}` },
        organisationId: null,
        before: before === null ? undefined : written(before),
        after: { ...written(amounts), ...(from && { from: from.toISOString() }) },
      });
    }
    await publish(tx, "catalogue");
    return { isChanged };
  });
}

/** The moment from which a price counts, as it is stored; null: at once. @throws AppError invalid_request */
export function laterMoment(from: Date): Date | null {
  const aheadMs = from.getTime() - Date.now();
  if (aheadMs < -MINUTE_MS || aheadMs > MAX_AHEAD_MS)
    throw apiError("invalid_request", { key: "rejections:priceMoment", param: "from" });
  return aheadMs <= 0 ? null : from;
}

const written = (amounts: Amounts): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(amounts).map(([name, nanoUsd]) => [snake(name), nanoUsd === null ? null : formatUsd(nanoUsd)]),
  );

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const facts = (amounts: Amounts): string => JSON.stringify(written(amounts));
