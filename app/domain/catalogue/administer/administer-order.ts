import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { NewAuditEvent } from "~/domain/activity/shared";
import { apiError } from "~/errors/app-error";
import { lockCatalogue } from "../store";
import { findRoute, putOrder } from "./administer-prices-store";

/** The order of a model's routes: lower priorities are tried first; routes of equal priority are chosen by weight. */
export type RouteOrder = { priority: number; weight: number };

/**
 * Sets the priority and weight of a route whose supplier platform admins manage, in every process within a second.
 * Calls in flight are not affected. Writes an audit event. Safe to repeat: the same order changes nothing.
 * @throws AppError not_found; conflict for a supplier of the configuration
 */
export async function setOrder(db: Db, by: NewAuditEvent["by"], routeId: number, order: RouteOrder): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockCatalogue(tx);
    const route = await findRoute(tx, routeId);
    if (route === null) throw apiError("not_found");
    if (route.source !== "portal") throw apiError("conflict", { key: "rejections:supplierOfConfig" });
    const { priority, weight, modelId, supplier } = route;
    if (priority === order.priority && weight === order.weight) return;
    await putOrder(tx, routeId, order);
    await recordAuditEvent(tx, {
      by,
      action: "price.order",
      target: { kind: "price", id: routeId, label: `${modelId} · ${supplier}` },
      organisationId: null,
      before: { priority, weight },
      after: order,
    });
    await publish(tx, "catalogue");
  });
}
