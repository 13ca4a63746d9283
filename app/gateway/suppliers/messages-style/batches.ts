import { exactAnswer, exactJson } from "~/http/body/json/exact-numbers";
import type {
  BatchPlace,
  LostSupplierBatch,
  SupplierBatches,
  SupplierBatchResult,
  SupplierBatchView,
} from "../../canonical/exchange";
import { SupplierFailure } from "../../canonical/supplier-failure";
import { type BatchRequest, fetchFile, fetchJson } from "../toolkit/batch-request";
import { signIn } from "./sign-in";

const PATH = "/messages/batches";
const LISTED_AT_ONCE = 100;
const MAX_LISTED = 5_000;
/** Tolerated clock difference to the supplier, in milliseconds. */
const CLOCKS_MS = 3_600_000;

/**
 * Batches by `POST /messages/batches`: the requests are in its body, and the results are available when it has ended.
 */
export const messageBatches: SupplierBatches = {
  takes: (dialect) => dialect === "messages",
  line: (id, _dialect, body) => `{"custom_id":${JSON.stringify(id)},"params":${body}}`,
  async probe(place) {
    await send(place, { method: "GET", path: `${PATH}?limit=1` });
  },
  async create(place, { lines }) {
    const created = await send(place, {
      method: "POST",
      path: PATH,
      headers: { "content-type": "application/json" },
      body: `{"requests":[${lines.join(",")}]}`,
    });
    return viewOf(created).id;
  },
  find,
  read: async (place, id) => viewOf(await send(place, { method: "GET", path: pathOf(id) })),
  async cancel(place, id) {
    try {
      await send(place, { method: "POST", path: `${pathOf(id)}/cancel` });
    } catch (failure) {
      if (!(failure instanceof SupplierFailure) || !OVER.has(failure.status)) throw failure;
    }
  },
  results: (place, id) => resultsOf(place, id),
  readResult,
  async forget(place, id) {
    await send(place, { method: "DELETE", path: pathOf(id) });
  },
};

/** Statuses of suppliers for the cancellation of a batch that has ended. */
const OVER: ReadonlySet<number | null> = new Set([400, 404, 409]);

const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

const send = (place: BatchPlace, request: BatchRequest) => fetchJson(place, { ...request, signIn });

const resultsOf = (place: BatchPlace, id: string) => fetchFile(place, { path: `${pathOf(id)}/results`, signIn });

/**
 * Finds a batch by its results, which have the ids of its lines: the API stores no marker, so a batch can be found only
 * after it has ended.
 * @throws SupplierFailure while a running batch may be the one
 */
async function find(place: BatchPlace, { ids, since }: LostSupplierBatch): Promise<string | null> {
  let after = "";
  let perhaps = 0;
  for (let listed = 0; listed < MAX_LISTED; listed += LISTED_AT_ONCE) {
    const list = await send(place, { method: "GET", path: `${PATH}?limit=${LISTED_AT_ONCE}${after}` });
    const batches = Array.isArray(list.data) ? (list.data as Record<string, unknown>[]) : [];
    for (const batch of batches.filter((one) => !isOlder(one, since))) {
      const { id, outcome } = viewOf(batch);
      if (outcome === null) perhaps += 1;
      else if (await isOf(ids, place, id)) return id;
    }
    const last = batches.at(-1);
    if (last === undefined || list.has_more !== true || isOlder(last, since)) return noneUnless(perhaps);
    after = `&after_id=${encodeURIComponent(String(last.id))}`;
  }
  throw new SupplierFailure("protocol", "the supplier has too many batches to look through", { executed: "unknown" });
}

const isOlder = ({ created_at }: Record<string, unknown>, since: Date): boolean =>
  Date.parse(String(created_at)) < since.getTime() - CLOCKS_MS;

function noneUnless(perhaps: number): null {
  if (perhaps === 0) return null;
  throw new SupplierFailure("protocol", "a batch that has not ended may be the one", { executed: "unknown" });
}

/** Whether the results of a batch belong to these lines; the first result tells. */
async function isOf(ids: ReadonlySet<string>, place: BatchPlace, id: string): Promise<boolean> {
  let text = "";
  for await (const chunk of resultsOf(place, id)) {
    text += chunk.toString("latin1");
    const [, own] = /"custom_id"\s*:\s*"([^"]*)"/.exec(text) ?? [];
    if (own !== undefined) return ids.has(own);
    if (text.length > 64 * 1024) return false;
  }
  return false;
}

function viewOf(batch: Record<string, unknown>): SupplierBatchView {
  const { id, processing_status: status } = batch;
  if (typeof id !== "string" || typeof status !== "string")
    throw new SupplierFailure("protocol", "the supplier's batch has no status", { executed: "unknown" });
  const isOver = status === "ended";
  // Cancelled and expired lines are reported line by line.
  return { id, outcome: isOver ? "completed" : null, problem: null, files: isOver ? [id] : [], keeps: [id] };
}

/** Equivalent statuses of a call. */
const STATUSES: Readonly<Record<string, number>> = {
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

const UNWORKED: Readonly<Record<string, SupplierBatchResult["problem"]>> = {
  expired: { code: "batch_expired", message: "This request could not be executed in time." },
  canceled: { code: "batch_cancelled", message: "This request was not executed: the batch was cancelled." },
};

function readResult(text: string): SupplierBatchResult | null {
  let line: {
    custom_id?: unknown;
    result?: { type?: unknown; message?: unknown; error?: { error?: { type?: unknown } } };
  };
  try {
    line = exactAnswer(JSON.parse(text), text);
  } catch {
    return null;
  }
  const id = line?.custom_id;
  if (typeof id !== "string") return null;
  const { type, message, error } = line.result ?? {};
  const answer = (status: number, body: unknown) => ({
    id,
    answer: { status, body: Buffer.from(exactJson(JSON.stringify(body ?? null))) },
    problem: null,
  });
  if (type === "succeeded") return answer(200, message);
  if (type === "errored") return answer(STATUSES[String(error?.error?.type)] ?? 400, error);
  return { id, answer: null, problem: UNWORKED[String(type)] ?? null };
}
