import { config } from "~/config.server";
import { db } from "~/connection/db.server";
import type { Batch, BatchLine } from "~/domain/batches/shared";
import { readFile } from "~/domain/files/index.server";
import type { Caller } from "~/domain/keys/shared";
import { apiError } from "~/errors/app-error";
import { serve } from "../serve.server";
import { DIALECT_OF } from "./dialect-of";
import { readBatchLine } from "./read-line";

/** Result of a line's call. */
export type LineAnswer = {
  customId: string;
  status: number;
  requestId: string;
  /** JSON body of the endpoint's response. */
  body: string;
  /** Error code; null for an answer. */
  code: string | null;
  message: string;
  /** Seconds to wait before another try; null if the response has none. */
  retryAfter: number | null;
  mayRetry: boolean;
  /** It is unknown whether an earlier try was executed. */
  isUnknown: boolean;
  /** `mayCall` was false, and no earlier try was executed. */
  isUncalled: boolean;
};

/**
 * Executes a line as a call of the batch's key, through every stage, as if its client had made it. Each line has its
 * own Idempotency-Key, so it is executed and charged once: a repeated try gets the first answer. `mayCall`: if false,
 * only looks that answer up. See docs/decisions/044.
 * @throws AppError of a line that cannot be read, for example because its file was deleted
 */
export async function executeLine(
  batch: Batch,
  line: BatchLine,
  { caller, mayCall }: { caller: Caller; mayCall: boolean },
): Promise<LineAnswer> {
  const { customId, body } = await readBatchLine(await textOf(batch, line));
  let isUncalled = false;
  const request = new Request(new URL(batch.endpoint, config().baseUrl), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const response = await serve(request, DIALECT_OF[batch.endpoint], {
    caller,
    batchId: batch.id,
    idempotencyKey: `batch ${batch.id} ${line.position}`,
    async reserve() {
      if (mayCall) return;
      isUncalled = true;
      throw apiError("request_rejected");
    },
    ended() {},
  });
  return { customId, isUncalled, ...(await answerOf(response)) };
}

/** Reads a line of the input file. @throws AppError not_found if the file was deleted */
export async function textOf(batch: Batch, { at, bytes }: BatchLine): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of readFile(db(), batch, { id: batch.inputFileId, from: at, to: at + bytes }))
    pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

/** Returns the `custom_id` of a line that is not executed; null if its file was deleted. */
export const customIdOf = (batch: Batch, line: BatchLine): Promise<string | null> =>
  textOf(batch, line)
    .then(readBatchLine)
    .then(
      ({ customId }) => customId,
      () => null,
    );

/** Reads a line's result from the response to its call. */
export async function answerOf(response: Response): Promise<Omit<LineAnswer, "customId" | "isUncalled">> {
  const { status, headers } = response;
  // Line breaks in JSON occur only between tokens.
  const body = (await response.text()).replace(/[\r\n]+/g, " ");
  const requestId = headers.get("x-request-id") ?? "";
  const retryAfter = headers.get("retry-after");
  const error = status === 200 ? null : errorIn(body);
  return {
    status,
    requestId,
    body,
    code: error === null ? null : (error.code ?? "internal_error"),
    message: error?.human_message ?? "",
    retryAfter: retryAfter === null ? null : Number(retryAfter),
    mayRetry: headers.get("x-should-retry") !== "false",
    isUnknown: error?.details?.outcome === "unknown",
  };
}

type ToldError = { code?: string; human_message?: string; details?: { outcome?: string } };

const errorIn = (body: string): ToldError => (JSON.parse(body) as { error?: ToldError }).error ?? {};
