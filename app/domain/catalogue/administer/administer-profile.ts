import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { NewAuditEvent } from "~/domain/activity/shared";
import { apiError } from "~/errors/app-error";
import { lockCatalogue } from "../store";
import { findRoute, putProfile } from "./administer-prices-store";

/**
 * Sets the profile of a model at a supplier that platform admins manage; null: derived from the model's name. Takes
 * effect in every process within a second; calls in flight are not affected. Writes an audit event. Safe to repeat: the
 * same profile changes nothing.
 * @throws AppError not_found; conflict for a supplier of the configuration
 */
export async function setProfile(
  db: Db,
  by: NewAuditEvent["by"],
  routeId: number,
  wanted: string | null,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockCatalogue(tx);
    const route = await findRoute(tx, routeId);
    if (route === null) throw apiError("not_found");
    if (route.source !== "portal") throw apiError("conflict", { key: "rejections:supplierOfConfig" });
    const { profile, modelId, supplier } = route;
    if (profile === wanted) return;
    await putProfile(tx, routeId, wanted);
    await recordAuditEvent(tx, {
      by,
      action: "price.profile",
      target: { kind: "price", id: routeId, label: `${modelId} · ${supplier}` },
      organisationId: null,
      before: { profile },
      after: { profile: wanted },
    });
    await publish(tx, "catalogue");
  });
}
