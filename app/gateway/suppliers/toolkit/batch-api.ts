import { randomBytes } from "node:crypto";
import { exactAnswer, exactJson } from "~/http/body/json/exact-numbers";
import type {
  BatchPlace,
  LostSupplierBatch,
  NewSupplierBatch,
  SupplierBatches,
  SupplierBatchResult,
  SupplierBatchView,
  WireName,
} from "../../canonical/exchange";
import { SupplierFailure } from "../../canonical/supplier-failure";
import { type BatchRequest, fetchFile, fetchJson } from "./batch-request";

/** Value of a line's `url`, independent of the base URL. */
const ADDRESSES: Partial<Record<WireName, string>> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  embeddings: "/v1/embeddings",
};

/** Metadata key with gw's own id of the batch. */
const MARKER = "gw_batch";
const LISTED_AT_ONCE = 100;
const MAX_LISTED = 5_000;
/** Tolerated clock difference to the supplier, in milliseconds. */
const CLOCKS_MS = 3_600_000;

/** Batches by `POST /files` and `POST /batches`: a file with requests, then files with results. */
export function openAiBatches(ownHeaders: Readonly<Record<string, string>> = {}): SupplierBatches {
  const send = (place: BatchPlace, request: BatchRequest) =>
    fetchJson(place, { ...request, headers: { ...ownHeaders, ...request.headers } });
  return {
    takes: (dialect) => ADDRESSES[dialect] !== undefined,
    line: (id, dialect, body) =>
      `{"custom_id":${JSON.stringify(id)},"method":"POST","url":${JSON.stringify(ADDRESSES[dialect])},"body":${oneLine(body)}}`,
    async probe(place) {
      await send(place, { method: "GET", path: "/batches?limit=1" });
    },
    create: (place, batch) => create(send, place, batch),
    find: (place, lost) => find(send, place, lost),
    read: async (place, id) => viewOf(await send(place, { method: "GET", path: `/batches/${encodeURIComponent(id)}` })),
    async cancel(place, id) {
      try {
        await send(place, { method: "POST", path: `/batches/${encodeURIComponent(id)}/cancel` });
      } catch (failure) {
        if (!(failure instanceof SupplierFailure) || !OVER.has(failure.status)) throw failure;
      }
    },
    results: (place, file) =>
      fetchFile(place, { path: `/files/${encodeURIComponent(file)}/content`, headers: ownHeaders }),
    readResult,
    async forget(place, file) {
      await send(place, { method: "DELETE", path: `/files/${encodeURIComponent(file)}` });
    },
  };
}

/** Statuses of suppliers for the cancellation of a batch that has ended. */
const OVER: ReadonlySet<number | null> = new Set([400, 404, 409, 422]);

type SendRequest = (place: BatchPlace, request: BatchRequest) => Promise<Record<string, unknown>>;

/** Line breaks in JSON occur only between tokens. */
const oneLine = (json: string): string => json.replace(/[\r\n]+/g, " ");

async function create(
  send: SendRequest,
  place: BatchPlace,
  { marker, dialect, lines }: NewSupplierBatch,
): Promise<string> {
  const file = await upload(send, place, { marker, lines });
  const created = await send(place, {
    method: "POST",
    path: "/batches",
    headers: { "content-type": "application/json", "idempotency-key": marker },
    body: JSON.stringify({
      input_file_id: file,
      endpoint: ADDRESSES[dialect],
      completion_window: "24h",
      metadata: { [MARKER]: marker },
    }),
  });
  if (typeof created.id !== "string")
    throw new SupplierFailure("protocol", "the supplier's batch has no id", { executed: "unknown" });
  return created.id;
}

/** Uploads the requests. A file alone starts no work, so after any failure nothing was executed. */
async function upload(
  send: SendRequest,
  place: BatchPlace,
  { marker, lines }: Pick<NewSupplierBatch, "marker" | "lines">,
): Promise<string> {
  const boundary = `gw-${randomBytes(16).toString("hex")}`;
  const body = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n` +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${marker}.jsonl"\r\n` +
      `Content-Type: application/jsonl\r\n\r\n${lines.join("\n")}\n\r\n--${boundary}--\r\n`,
  );
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  try {
    const { id } = await send(place, { method: "POST", path: "/files", headers, body });
    if (typeof id === "string") return id;
  } catch (failure) {
    if (!(failure instanceof SupplierFailure)) throw failure;
    const { kind, status, supplierCode, retryAfterSeconds } = failure;
    throw new SupplierFailure(kind, failure.message, {
      executed: "no",
      status,
      supplierCode,
      retryAfterSeconds,
      cause: failure,
    });
  }
  throw new SupplierFailure("protocol", "the supplier's file has no id", { executed: "no" });
}

async function find(
  send: SendRequest,
  place: BatchPlace,
  { marker, since }: LostSupplierBatch,
): Promise<string | null> {
  let after = "";
  for (let listed = 0; listed < MAX_LISTED; listed += LISTED_AT_ONCE) {
    const list = await send(place, { method: "GET", path: `/batches?limit=${LISTED_AT_ONCE}${after}` });
    const batches = Array.isArray(list.data) ? (list.data as Record<string, unknown>[]) : [];
    const match = batches.find(({ metadata }) => (metadata as Record<string, unknown> | null)?.[MARKER] === marker);
    if (typeof match?.id === "string") return match.id;
    const last = batches.at(-1);
    const isOlder = Number(last?.created_at) * 1_000 < since.getTime() - CLOCKS_MS;
    if (last === undefined || list.has_more !== true || isOlder || typeof last.id !== "string") return null;
    after = `&after=${encodeURIComponent(last.id)}`;
  }
  throw new SupplierFailure("protocol", "the supplier has too many batches to look through", { executed: "unknown" });
}

const OUTCOMES = new Set(["completed", "failed", "expired", "cancelled"]);

function viewOf(batch: Record<string, unknown>): SupplierBatchView {
  const { id, status, errors, input_file_id, output_file_id, error_file_id } = batch;
  if (typeof id !== "string" || typeof status !== "string")
    throw new SupplierFailure("protocol", "the supplier's batch has no status", { executed: "unknown" });
  const files = [output_file_id, error_file_id].filter((file) => typeof file === "string");
  return {
    id,
    outcome: OUTCOMES.has(status) ? (status as SupplierBatchView["outcome"]) : null,
    problem: problemIn((errors as { data?: unknown[] } | null)?.data?.[0]),
    files,
    keeps: [...files, ...(typeof input_file_id === "string" ? [input_file_id] : [])],
  };
}

function problemIn(error: unknown): { code: string; message: string } | null {
  if (typeof error !== "object" || error === null) return null;
  const { code, message } = error as Record<string, unknown>;
  return {
    code: typeof code === "string" && /^[\w.-]{1,100}$/.test(code) ? code : "upstream_error",
    message: typeof message === "string" ? message.slice(0, 1_000) : "The supplier could not carry this out.",
  };
}

function readResult(text: string): SupplierBatchResult | null {
  let line: Record<string, unknown>;
  try {
    line = exactAnswer(JSON.parse(text), text);
  } catch {
    return null;
  }
  if (typeof line?.custom_id !== "string") return null;
  const response = line.response as { status_code?: unknown; body?: unknown } | null | undefined;
  const status = Number(response?.status_code);
  const answer =
    response == null || !Number.isInteger(status)
      ? null
      : { status, body: Buffer.from(exactJson(JSON.stringify(response.body))) };
  return { id: line.custom_id, answer, problem: problemIn(line.error) };
}
