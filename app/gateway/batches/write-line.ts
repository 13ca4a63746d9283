import type { BatchLine } from "~/domain/batches/shared";
import type { LineAnswer } from "./execute-line";

type Place = { batchId: string; line: BatchLine };

/** Returns the id of a line's result. */
const idOf = ({ batchId, line }: Place) => `batch_req_${batchId.replace(/^batch_/, "")}_${line.position}`;

/** Builds a line of the output file; of the error file if the call failed. */
export function answerLine(place: Place, { customId, status, requestId, body }: LineAnswer): string {
  const [id, custom, request] = [idOf(place), customId, requestId].map((text) => JSON.stringify(text));
  return `{"id":${id},"custom_id":${custom},"response":{"status_code":${status},"request_id":${request},"body":${body}},"error":null}`;
}

/** Builds a line of the error file for a line that was not called. */
export const errorLine = (place: Place, customId: string | null, error: { code: string; message: string }): string =>
  JSON.stringify({ id: idOf(place), custom_id: customId, response: null, error });
