import type { Supplier } from "~/domain/catalogue/shared";
import { apiError } from "~/errors/app-error";
import type { OfferedModel } from "./canonical/exchange";
import { SupplierFailure } from "./canonical/supplier-failure";
import { adapterOf } from "./suppliers/registry";

/**
 * Result of a request for a supplier's list of models. `unreachable`: no connection, or no answer in time; `refused`:
 * the supplier does not accept the credential; `no_list`: it answers, but not with a list of models; `failing`: it
 * answers with a server error or a rate limit.
 */
export type SupplierTest =
  | { result: "works"; models: readonly OfferedModel[]; ms: number }
  | { result: "unreachable" | "refused" | "no_list" | "failing"; status: number | null; ms: number };

const TIMEOUT_MS = 10_000;
/** Maximum concurrent tests per process, for all administrators together: an address may never answer. */
const MAX_AT_ONCE = 4;
let underWay = 0;

/**
 * Requests the supplier's list of models with its first credential. Times out after 10 seconds. The supplier charges
 * nothing for it.
 * @throws AppError capacity_exceeded if too many tests are in progress.
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
  } catch (error) {
    if (!(error instanceof SupplierFailure)) throw error;
    return { result: resultOf(error), status: error.status, ms: ms() };
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
