import { config } from "~/config.server";
import { db } from "~/connection/db.server";
import { beginBatch, refuseBatch } from "~/domain/batches/index.server";
import type { Batch, BatchError, CheckedLine } from "~/domain/batches/shared";
import { extendFile, readFile } from "~/domain/files/index.server";
import { callerOfKey } from "~/domain/keys/index.server";
import type { Caller } from "~/domain/keys/shared";
import { AppError, apiError } from "~/errors/app-error";
import { parseLongJson } from "~/http/body/json/parse-json";
import { TimeSlice } from "~/values/time-slice";
import { route } from "../route";
import { DIALECT_OF } from "./dialect-of";
import { readBatchLine } from "./read-line";
import { type FileLine, splitLines } from "./split-lines";
import { batchRouteOf } from "./suppliers/target";

/** Retention of an input file in seconds; longer than the longest batch of any supplier. */
const KEPT_SECONDS = 3 * 86_400;
/** Maximum errors reported per file. */
const MAX_ERRORS = 100;

/**
 * Validates every line of a batch's file, as its call would be validated, and starts or rejects the batch. Places no
 * hold and calls no supplier. May be repeated.
 */
export async function validateBatch(batch: Batch, signal: AbortSignal): Promise<void> {
  try {
    const lines = await checkedLines(batch, signal);
    // Suppliers' results arrive up to a day later, and reading them needs the lines of this file.
    if (lines.some(({ routeId }) => routeId !== null)) await extendFile(db(), batch, batch.inputFileId, KEPT_SECONDS);
    await beginBatch(db(), batch.id, lines);
  } catch (error) {
    if (error instanceof WrongLines) await refuseBatch(db(), batch.id, error.errors);
    else if (error instanceof AppError && !error.mayRetry) await refuseBatch(db(), batch.id, [errorOf(error, null)]);
    else throw error;
  }
}

class WrongLines extends Error {
  readonly errors: readonly BatchError[];
  constructor(errors: readonly BatchError[]) {
    super("lines of a batch cannot be carried out");
    this.errors = errors;
  }
}

/** Converts an error for the batch object, with the number of its line in the file. */
export const errorOf = ({ code, humanMessage, param }: AppError, line: number | null): BatchError => ({
  code,
  message: humanMessage,
  param,
  line,
});

async function checkedLines(batch: Batch, signal: AbortSignal): Promise<CheckedLine[]> {
  const { limits, batches } = config();
  const caller = await callerOfKey(db(), batch);
  const lines: CheckedLine[] = [];
  const errors: BatchError[] = [];
  const seen = new Set<string>();
  const slice = new TimeSlice();
  for await (const line of splitLines(readFile(db(), batch, { id: batch.inputFileId }), limits.jsonBodyBytes)) {
    signal.throwIfAborted();
    if (slice.isOver) await slice.next();
    const position = lines.length;
    if (position >= batches.maxLines) throw tooMany(batches.maxLines);
    const checked = { position, at: line.at, bytes: line.bytes, routeId: null as number | null };
    lines.push(checked);
    try {
      checked.routeId = await checkLine(line, { batch, caller, seen });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // An error that may pass is left to the line's execution.
      if (!error.mayRetry) errors.push(errorOf(error, line.number));
      if (errors.length >= MAX_ERRORS) break;
    }
  }
  if (errors.length > 0) throw new WrongLines(errors);
  if (lines.length === 0)
    throw apiError("invalid_request", { userMessage: "The file has no lines.", param: "input_file_id" });
  return lines;
}

/** Validates a line. Returns the route whose supplier takes it in a batch; null if it becomes a call. */
async function checkLine(
  { text, bytes }: FileLine,
  { batch, caller, seen }: { batch: Batch; caller: Caller; seen: Set<string> },
): Promise<number | null> {
  if (text === null)
    throw bytes > config().limits.jsonBodyBytes
      ? apiError("request_too_large")
      : apiError("invalid_json", { userMessage: "The line is not valid UTF-8." });
  const { customId, method, url, body } = await readBatchLine(text);
  if (seen.has(customId))
    throw apiError("validation_error", {
      userMessage: "An earlier line has the same custom_id.",
      param: "custom_id",
    });
  seen.add(customId);
  if (method !== "POST") throw apiError("validation_error", { userMessage: "method has to be POST.", param: "method" });
  if (url !== batch.endpoint)
    throw apiError("validation_error", {
      userMessage: `url has to be ${batch.endpoint}, as in the batch.`,
      param: "url",
    });
  const dialect = DIALECT_OF[batch.endpoint];
  const inference = dialect.read(body, await parseLongJson(body));
  if (inference.stream)
    throw apiError("unsupported_parameter", { userMessage: "A line of a batch cannot be streamed.", param: "stream" });
  return batchRouteOf(route({ call: { request: UNSENT }, caller, inference, dialect, sessionId: null }), inference);
}

/** Request for routing: lines have no headers. */
const UNSENT = new Request("http://gw/");

const tooMany = (limit: number) =>
  apiError("request_too_large", { userMessage: `A batch may have ${limit} lines at most.`, param: "input_file_id" });
