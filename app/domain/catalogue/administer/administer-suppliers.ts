import { config } from "~/config.server";
import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { NewAuditEvent } from "~/domain/activity/shared";
import { removeCredentialsOf, saveCredential } from "~/domain/credentials/index.server";
import { apiError } from "~/errors/app-error";
import { isAllowedUrl } from "~/network/public-address";
import { openExtras } from "../sealed-extras";
import type { PortalKind, SupplierExtras } from "../shared";
import { lockCatalogue } from "../store";
import { checkExtras, sealedFor } from "./administer-extras";
import { findSupplier, findSupplierNamed, type ManagedSupplier, putAsideRoutes, putSupplier } from "./administer-store";

type Author = NewAuditEvent["by"];

/** A supplier that platform admins manage. `apiKey` is never shown again; null: the supplier needs none. */
export type NewSupplier = {
  name: string;
  kind: PortalKind;
  baseUrl: string;
  region: string;
  apiKey: string | null;
  /** Additional headers and parameters of its requests; undefined: none. Values are never shown again. */
  extras?: SupplierExtras;
};

/** A change to a supplier; omitted fields keep their values. The name cannot change: usage is counted by it. */
export type SupplierChange = Partial<Omit<NewSupplier, "apiKey" | "name" | "extras">> & {
  apiKey?: string;
  draining?: boolean;
};

const CREDENTIAL = "portal";

/**
 * Creates a supplier, in every process within a second. The name of an inactive supplier may be reused. The audit event
 * omits the key.
 * @throws AppError conflict for a name in use; invalid_request for a forbidden address
 */
export async function createSupplier(db: Db, by: Author, { apiKey, extras, ...given }: NewSupplier): Promise<number> {
  const supplier = { ...given, baseUrl: allowedBase(given.baseUrl) };
  const credentials = apiKey === null ? 0 : 1;
  const sealedExtras =
    extras === undefined ? null : sealedFor({ ...supplier, credentials, sealedExtras: null }, extras);
  return inTransaction(db, async (tx) => {
    await lockCatalogue(tx);
    const former = await findSupplierNamed(tx, supplier.name);
    if (former !== null && former.status !== "inactive") throw nameTaken();
    const id = await putSupplier(tx, former?.id ?? null, {
      ...supplier,
      sealedExtras,
      status: "active",
      source: "portal",
    });
    if (former !== null) {
      // A reused name gets no credentials or routes of its former supplier.
      await removeCredentialsOf(tx, id);
      await putAsideRoutes(tx, id);
    }
    if (apiKey !== null) await saveKey(tx, { id, name: supplier.name }, apiKey);
    const after = {
      ...factsOf({ ...supplier, status: "active" }),
      api_key: apiKey === null ? "none" : "set",
      ...(sealedExtras !== null &&
        extras && { headers: Object.keys(extras.headers), query: Object.keys(extras.query) }),
    };
    await note(tx, { by, action: "supplier.create", supplier: { id, name: supplier.name }, after });
    await publish(tx, "catalogue");
    return id;
  });
}

/**
 * Changes a supplier; calls in flight are not affected. Of a supplier of the configuration, only draining can be
 * changed. A key is never sent to a host other than the one it was entered for: a new host requires a new key. The
 * audit event omits the key. Safe to repeat.
 * @throws AppError not_found, conflict, invalid_request
 */
export async function updateSupplier(db: Db, by: Author, id: number, change: SupplierChange): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockCatalogue(tx);
    const present = await presentSupplier(tx, id);
    const { apiKey, draining, ...fields } = change;
    const isManagedHere = present.source === "portal";
    if (!isManagedHere && (apiKey !== undefined || Object.values(fields).some((value) => value !== undefined)))
      throw apiError("conflict", { key: "rejections:supplierOfConfig" });
    const merged = { ...present, ...defined(fields) };
    if (draining !== undefined) merged.status = draining ? "draining" : "active";
    if (fields.baseUrl !== undefined) merged.baseUrl = allowedBase(fields.baseUrl);
    const moves = merged.baseUrl !== present.baseUrl && originOf(merged.baseUrl) !== originOf(present.baseUrl);
    if (moves && apiKey === undefined && present.credentials > 0)
      throw apiError("invalid_request", { key: "rejections:supplierKeyAgain", param: "api_key" });
    if (moves && present.sealedExtras !== null)
      throw apiError("conflict", { key: "rejections:supplierExtrasAgain", param: "base_url" });
    const extras = openExtras(present.name, present.sealedExtras);
    const signsIn = present.credentials > 0 || apiKey !== undefined;
    if (extras && isManagedHere) checkExtras(extras, { kind: merged.kind, signsIn });
    const [before, after] = [factsOf(present), factsOf(merged)];
    const isSame = JSON.stringify(before) === JSON.stringify(after);
    if (isSame && apiKey === undefined) return;
    if (!isSame) await putSupplier(tx, id, merged);
    if (apiKey !== undefined) await saveKey(tx, { id, name: merged.name }, apiKey);
    const changed = apiKey === undefined ? after : { ...after, api_key: "replaced" };
    await note(tx, { by, action: "supplier.update", supplier: { id, name: merged.name }, before, after: changed });
    await publish(tx, "catalogue");
  });
}

/**
 * Deletes a supplier that platform admins manage, with its key and its headers. It gets no further calls; calls in
 * flight finish. Its prices remain, because charges refer to them. Writes an audit event. A second call throws
 * not_found.
 * @throws AppError not_found; conflict for a supplier of the configuration, or if `confirm` is not its name
 */
export async function deleteSupplier(db: Db, by: Author, id: number, confirm: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockCatalogue(tx);
    const present = await presentSupplier(tx, id);
    if (present.source !== "portal") throw apiError("conflict", { key: "rejections:supplierOfConfig" });
    if (confirm !== present.name)
      throw apiError("invalid_request", { key: "rejections:supplierConfirm", param: "confirm" });
    await putSupplier(tx, id, { ...present, status: "inactive", sealedExtras: null });
    await putAsideRoutes(tx, id);
    await removeCredentialsOf(tx, id);
    await note(tx, { by, action: "supplier.delete", supplier: present, before: factsOf(present) });
    await publish(tx, "catalogue");
  });
}

async function presentSupplier(tx: Db, id: number): Promise<ManagedSupplier> {
  const supplier = await findSupplier(tx, id);
  if (supplier === null || supplier.status === "inactive") throw apiError("not_found");
  return supplier;
}

/** Returns a base URL without its trailing slash. @throws AppError invalid_request */
function allowedBase(text: string): string {
  if (!isAllowedUrl(text, config().allowPrivateUpstreams) || /[?#]/.test(text))
    throw apiError("invalid_request", { key: "rejections:supplierUrl", param: "base_url" });
  return text.replace(/\/+$/, "");
}

const originOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).origin : "");

const nameTaken = () => apiError("conflict", { key: "rejections:supplierNameTaken", param: "name" });

const saveKey = (tx: Db, { id, name }: { id: number; name: string }, apiKey: string) =>
  saveCredential(tx, { supplierId: id, supplier: name }, { name: CREDENTIAL, apiKey });

const factsOf = ({
  name,
  kind,
  baseUrl,
  region,
  status,
}: Omit<NewSupplier, "apiKey" | "kind"> & { kind: string; status: string }) => ({
  name,
  kind,
  base_url: baseUrl,
  region,
  status,
});

const defined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;

type Note = Pick<NewAuditEvent, "by" | "action" | "before" | "after"> & { supplier: { id: number; name: string } };

const note = (tx: Db, { supplier: { id, name }, ...event }: Note) =>
  recordAuditEvent(tx, { ...event, target: { kind: "supplier", id, label: name }, organisationId: null });
