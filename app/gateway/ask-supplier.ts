import type { Supplier } from "~/domain/catalogue/shared";
import { apiError } from "~/errors/app-error";
import type { OfferedModel } from "./canonical/exchange";
import { SupplierFailure } from "./canonical/supplier-failure";
import { adapterOf } from "./suppliers/registry";

/**
 * What a supplier answers to the question which models it has. `unreachable`: no connection, or no answer in time; `refused`: it
 * does not accept the key; `no_list`: it answers, and not with a list of models; `failing`: it answers with an error of its own.
 */
export type SupplierTest =
  | { result: "works"; models: readonly OfferedModel[]; ms: number }
  | { result: "unreachable" | "refused" | "no_list" | "failing"; status: number | null; ms: number };

const TIMEOUT_MS = 10_000;
/** Of all administrators of one process: an address may never answer. */
const MAX_AT_ONCE = 4;
let underWay = 0;

/**
 * Asks a supplier for its list of models with its first credential; within some ten seconds. Nothing is charged by such a question.
 * @throws AppError capacity_exceeded while several such questions are under way.
 */
export async function askSupplier(supplier: Supplier): Promise<SupplierTest> {
  const adapter = adapterOf(supplier);
  if (adapter?.listModels === undefined) return { result: "no_list", status: null, ms: 0 };
  if (underWay >= MAX_AT_ONCE) throw apiError("capacity_exceeded");
  underWay += 1;
  const startedMs = performance.now();
  const ms = () => Math.round(performance.now() - startedMs);
  try {
    const bounded = { ...supplier, timeoutMs: TIMEOUT_MS, idleTimeoutMs: TIMEOUT_MS };
    const models = await adapter.listModels(bounded, supplier.credentials[0] ?? null);
    return { result: "works", models, ms: ms() };
  } catch (problem) {
    if (!(problem instanceof SupplierFailure)) throw problem;
    return { result: resultOf(problem), status: problem.status, ms: ms() };
  } finally {
    underWay -= 1;
  }
}

function resultOf({ kind, status }: SupplierFailure): Exclude<SupplierTest["result"], "works"> {
  if (kind === "protocol" || kind === "too_large") return "no_list";
  if (status === null) return "unreachable";
  if (status === 401 || status === 403) return "refused";
  return status >= 500 || status === 429 ? "failing" : "no_list";
}
