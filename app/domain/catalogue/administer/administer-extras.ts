import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { NewAuditEvent } from "~/domain/activity/shared";
import { apiError } from "~/errors/app-error";
import { MAX_EXTRAS } from "../extras-rules";
import { extrasOf, extrasProblem } from "../file/file-extras";
import { openExtras, sealExtras } from "../sealed-extras";
import type { ExtraNames, ExtraPlace, SupplierExtras, SupplierKind } from "../shared";
import { lockCatalogue } from "../store";
import { findSupplier, type ManagedSupplier, putSupplier } from "./administer-store";

/**
 * A change to one extra of a supplier; `value` null removes it. For the key header, `name` is the header, and any value
 * sets it.
 */
export type ExtraChange = { in: ExtraPlace; name: string; value: string | null };

const NONE: SupplierExtras = { headers: {}, query: {}, keyHeader: null };

/** Returns a supplier with the names of its extras, never their values. @throws AppError not_found */
export async function readExtraNames(db: Db, id: number) {
  const { name, baseUrl, source, sealedExtras } = await present(db, id);
  const opened = openExtras(name, sealedExtras);
  const { headers, query, keyHeader } = opened ?? NONE;
  const names = { headers: Object.keys(headers), query: Object.keys(query), keyHeader };
  const extras: ExtraNames = { ...names, isLost: opened === null };
  return { name, baseUrl, source, extras };
}

/**
 * Sets or removes one header, query parameter or key header of every request to a supplier of the portal, in every
 * process within a second. The value is sealed and never shown again; the audit log has only names. If no secret opens
 * the stored extras, they are discarded. Safe to repeat.
 * @throws AppError not_found; conflict for a supplier of the configuration, too many extras, or an extra that is not
 * allowed
 */
export async function setExtra(db: Db, by: NewAuditEvent["by"], id: number, change: ExtraChange): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockCatalogue(tx);
    const supplier = await present(tx, id);
    if (supplier.source !== "portal") throw apiError("conflict", { key: "rejections:supplierOfConfig" });
    const before = openExtras(supplier.name, supplier.sealedExtras) ?? NONE;
    const after = changed(before, change);
    const sealedExtras = sealedFor(supplier, after);
    if (sealedExtras === supplier.sealedExtras) return;
    await putSupplier(tx, id, { ...supplier, sealedExtras });
    await recordAuditEvent(tx, {
      by,
      action: "supplier.update",
      organisationId: null,
      target: { kind: "supplier", id, label: supplier.name },
      before: namesOf(before),
      after: { ...namesOf(after), ...(isReplaced(before, change) && { replaced: change.name }) },
    });
    await publish(tx, "catalogue");
  });
}

/** Seals the extras of a supplier for its row; null: none. @throws AppError conflict */
export const sealedFor = (
  { name, kind, credentials, sealedExtras }: Pick<ManagedSupplier, "name" | "kind" | "credentials" | "sealedExtras">,
  extras: SupplierExtras,
): string | null => {
  checkExtras(extras, { kind, signsIn: credentials > 0 });
  const { headers, query, keyHeader } = extras;
  return sealExtras(name, extrasOf({ headers, query, key_header: keyHeader ?? undefined }), sealedExtras);
};

/** Checks that a supplier of this kind, with or without a key, may have these extras. @throws AppError conflict */
export function checkExtras(extras: SupplierExtras, { kind, signsIn }: { kind: string; signsIn: boolean }): void {
  const { headers, query, keyHeader } = extras;
  if (Object.keys(headers).length > MAX_EXTRAS || Object.keys(query).length > MAX_EXTRAS)
    throw apiError("conflict", { key: "rejections:extraCount", values: { most: MAX_EXTRAS } });
  const written = { headers, query, key_header: keyHeader ?? undefined };
  const problem = extrasProblem(written, { kind: kind as SupplierKind, signsIn });
  if (problem === null) return;
  throw apiError("conflict", {
    key: problem.path[0] === "key_header" ? "rejections:extraKeyHeader" : "rejections:extraSignsIn",
  });
}

async function present(db: Db, id: number): Promise<ManagedSupplier> {
  const supplier = await findSupplier(db, id);
  if (supplier === null || supplier.status === "inactive") throw apiError("not_found");
  return supplier;
}

function changed(extras: SupplierExtras, { in: part, name, value }: ExtraChange): SupplierExtras {
  if (part === "key_header") return { ...extras, keyHeader: value === null ? null : name.toLowerCase() };
  if (part === "query") return { ...extras, query: withEntry(extras.query, name, value) };
  return { ...extras, headers: withEntry(extras.headers, name.toLowerCase(), value) };
}

function withEntry(entries: Readonly<Record<string, string>>, name: string, value: string | null) {
  const others = Object.entries(entries).filter(([known]) => known !== name);
  return Object.fromEntries(value === null ? others : [...others, [name, value]]);
}

function isReplaced({ headers, query }: SupplierExtras, { in: part, name, value }: ExtraChange): boolean {
  if (value === null || part === "key_header") return false;
  return part === "query" ? Object.hasOwn(query, name) : Object.hasOwn(headers, name.toLowerCase());
}

const namesOf = ({ headers, query, keyHeader }: SupplierExtras) => ({
  headers: Object.keys(headers).toSorted(),
  query: Object.keys(query).toSorted(),
  key_header: keyHeader,
});
