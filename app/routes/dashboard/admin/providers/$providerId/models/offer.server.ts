import type { Db } from "~/db.server";
import { readAdminCatalogue, readSupplier, suggestPrice } from "~/domain/catalogue/index.server";
import { PORTAL_KINDS } from "~/domain/catalogue/shared";
import { apiError } from "~/errors/app-error";
import { askSupplier } from "~/gateway/ask-supplier";
import { isOneOf } from "~/one-of";
import { ModelName } from "../../../models/model-name";

const MAX_MODELS = 500;
const isPortalKind = isOneOf(PORTAL_KINDS);

/**
 * What a supplier answers to the question which models it has: each with its list price, where there is one, and whether it is served
 * already. At most 500 of them, those that can be imported first.
 * @throws AppError not_found, capacity_exceeded
 */
export async function readOffer(db: Db, id: number) {
  const supplier = await readSupplier(db, id);
  if (supplier === null) throw apiError("not_found");
  const { suppliers, routes } = await readAdminCatalogue(db);
  const isManagedHere = suppliers.find((each) => each.id === id)?.source === "portal" && isPortalKind(supplier.kind);
  const test = await askSupplier(supplier);
  const served = new Set(
    routes.filter((route) => route.supplier === supplier.name).map(({ upstreamModel }) => upstreamModel),
  );
  const offered = test.result === "works" ? test.models : [];
  const now = new Date();
  const models = offered
    .map(({ id: model, name, contextTokens }) => ({
      ...{ id: model, name, contextTokens },
      isServed: served.has(model),
      price: ModelName.safeParse(model).success ? suggestPrice(supplier, model, now) : null,
    }))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || a.id.localeCompare(b.id))
    .slice(0, MAX_MODELS);
  return {
    supplier: { id, name: supplier.name, baseUrl: supplier.baseUrl },
    test: { result: test.result, ms: test.ms, status: test.result === "works" ? null : test.status },
    ...{ isManagedHere, models, offered: offered.length },
  };
}

/** What can be imported comes first, what is served last. */
const rankOf = ({ isServed, price }: { isServed: boolean; price: object | null }): number =>
  isServed ? 2 : price === null ? 1 : 0;
