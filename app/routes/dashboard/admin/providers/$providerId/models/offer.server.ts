import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { authorOf } from "~/domain/accounts/shared";
import {
  importModels,
  readAdminCatalogue,
  readSupplier,
  recordSupplierTest,
  suggestPrice,
} from "~/domain/catalogue/index.server";
import { PORTAL_KINDS, type Supplier } from "~/domain/catalogue/shared";
import { apiError } from "~/errors/app-error";
import { askSupplier } from "~/gateway/ask-supplier";
import { formatUsd } from "~/values/money";
import { isOneOf } from "~/values/one-of";
import { ModelName } from "../../../models/model-name";

const MAX_MODELS = 500;
const isPortalKind = isOneOf(PORTAL_KINDS);

/**
 * Returns a supplier without calling it. `isManagedHere`: models of its own list can be imported.
 * @throws AppError not_found
 */
export async function readOffer(id: number) {
  const supplier = await supplierOf(id);
  const { suppliers } = await readAdminCatalogue(db());
  const isManagedHere = suppliers.find((each) => each.id === id)?.source === "portal" && isPortalKind(supplier.kind);
  return { supplier, isManagedHere };
}

/**
 * Asks a supplier for its models and returns the result. The audit log records the call.
 * @throws AppError not_found, capacity_exceeded
 */
export async function testSupplier(actor: Actor, id: number) {
  return shown(await fetchModels(actor, await supplierOf(id)));
}

async function supplierOf(id: number): Promise<Supplier> {
  const supplier = await readSupplier(db(), id);
  if (supplier === null) throw apiError("not_found");
  return supplier;
}

/**
 * Serves models of a supplier's own list at their list prices: one, or all with a list price. Models already served
 * stay unchanged.
 * @throws AppError not_found, capacity_exceeded; conflict for a supplier of the configuration, or if no model has a
 * list price
 */
export async function importOffered(actor: Actor, id: number, only: string | undefined) {
  const { supplier, isManagedHere } = await readOffer(id);
  if (!isManagedHere) throw apiError("conflict", { key: "rejections:supplierOfConfig" });
  const offer = await fetchModels(actor, supplier);
  const chosen = offer.models.filter((model) => only === undefined || model.id === only);
  const priced = chosen.flatMap(({ id: model, price }) => (price === null ? [] : [{ ...price, id: model }]));
  if (priced.length === 0) throw apiError("conflict", { key: "rejections:nothingToImport" });
  const leftOut = only === undefined ? offer.offered - priced.length : 0;
  const { added, known } = await importModels(db(), authorOf(actor), { supplierId: id, models: priced, leftOut });
  const isServed = new Set([...added, ...known]);
  const models = offer.models.map((model) => ({ ...model, isServed: model.isServed || isServed.has(model.id) }));
  return {
    ...shown({ ...offer, models }),
    imported: { models: added, added: added.length, known: known.length, left_out: leftOut },
  };
}

/**
 * Returns the models of its list, with list prices if known, and whether they are served; at most 500, importable
 * models first.
 */
async function fetchModels(actor: Actor, supplier: Supplier) {
  const test = await askSupplier(supplier);
  const offered = test.result === "works" ? test.models : [];
  const status = test.result === "works" ? null : test.status;
  const { id, name } = supplier;
  await recordSupplierTest(db(), authorOf(actor), { id, name, result: test.result, status, models: offered.length });
  const { routes } = await readAdminCatalogue(db());
  const served = new Set(routes.filter((route) => route.supplier === name).map(({ upstreamModel }) => upstreamModel));
  const now = new Date();
  const models = offered
    .map(({ id: model, name: title, contextTokens }) => ({
      id: model,
      name: title,
      contextTokens,
      isServed: served.has(model),
      price: ModelName.safeParse(model).success ? suggestPrice(supplier, model, now) : null,
    }))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || a.id.localeCompare(b.id))
    .slice(0, MAX_MODELS);
  return { result: test.result, ms: test.ms, status, offered: offered.length, models };
}

type Offer = Awaited<ReturnType<typeof fetchModels>>;

/** Converts input and output prices to decimals of US dollars. */
function shown({ models, ...offer }: Offer) {
  const importable = models.filter(({ price, isServed }) => price !== null && !isServed).length;
  const lines = models.map(({ price, isServed, contextTokens, ...model }) => ({
    ...model,
    context_tokens: contextTokens,
    served: isServed,
    price: price && {
      input_per_mtok: formatUsd(price.price.input_per_mtok ?? 0n),
      output_per_mtok: formatUsd(price.price.output_per_mtok ?? 0n),
    },
  }));
  return { ...offer, importable, models: lines, imported: null };
}

/** Importable models come first, served ones last. */
const rankOf = ({ isServed, price }: { isServed: boolean; price: object | null }): number =>
  isServed ? 2 : price === null ? 1 : 0;
