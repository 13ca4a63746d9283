import { parseLongJson } from "~/http/body/json/parse-json";
import { ownTurn } from "~/values/time-slice";
import { reportedError } from "../../../canonical/reported-error";
import { executedBy, SupplierFailure } from "../../../canonical/supplier-failure";
import { decoded, parseExactJson, parseJson, withFiles, withoutFiles } from "../long-texts";

/**
 * Parses a supplier's whole JSON answer as an object.
 * @throws SupplierFailure `protocol` for HTML, an empty body, and an error inside a 200.
 */
export function answerObject(body: Buffer, parse: (text: string) => unknown = parseJson): Record<string, unknown> {
  try {
    return parsedConversation(parse(decoded(body)));
  } catch (cause) {
    throw invalidBody(body, cause);
  }
}

/** Same for an answer that is translated: numbers in tool calls keep the digits that the model wrote. */
export const exactAnswerObject = (body: Buffer): Record<string, unknown> => answerObject(body, parseExactJson);

/** Same for an answer that may be long: parses it in pieces and yields the event loop between them. */
export async function longAnswerObject(body: Buffer): Promise<Record<string, unknown>> {
  const text = decoded(body);
  // Each pass over a hundred megabytes takes some milliseconds.
  await ownTurn(body.length);
  const { rest, files } = withoutFiles(text);
  try {
    const parsed = await parseLongJson(rest);
    const value = parsed === null ? JSON.parse(rest) : parsed.value;
    return parsedConversation(files.length === 0 ? value : withFiles(value, files));
  } catch (cause) {
    throw invalidBody(body, cause);
  }
}

const invalidBody = (body: Buffer, cause: unknown) =>
  cause instanceof SupplierFailure
    ? cause
    : notAnAnswer(body.length === 0 ? "the supplier sent an empty answer" : "the supplier's answer is not JSON", cause);

function parsedConversation(answer: unknown): Record<string, unknown> {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) {
    throw notAnAnswer("the supplier's answer is not an object");
  }
  const { error } = answer as { error?: unknown };
  if (error) throw errorInside(error);
  return answer as Record<string, unknown>;
}

/** Returns the failure for an unreadable answer; it is unknown whether the supplier executed the call. */
export const notAnAnswer = (message: string, cause?: unknown): SupplierFailure =>
  new SupplierFailure("protocol", message, { executed: "unknown", cause });

/**
 * Returns the failure for an error inside a 200. A status code in the error is treated as the status of the response.
 */
export function errorInside(error: unknown): SupplierFailure {
  const { code, status, type, param, message } = reportedError(error);
  return new SupplierFailure(status === null ? "protocol" : "status", message ?? "the supplier reported an error", {
    executed: executedBy({ status: 200, isSent: true }),
    status,
    supplierCode: code,
    supplierType: type,
    supplierParam: param,
    isReported: true,
  });
}
