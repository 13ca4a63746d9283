import { parseLongJson } from "~/http/parse-json";
import { ownTurn } from "~/time-slice";
import { reportedError } from "../../canonical/reported-error";
import { executedBy, SupplierFailure } from "../../canonical/supplier-failure";
import { decoded, parseExactJson, parseJson, withFiles, withoutFiles } from "./long-texts";

/**
 * A supplier's whole JSON answer as an object.
 * @throws SupplierFailure `protocol` for HTML, an empty body, and an error inside a 200.
 */
export function answerObject(body: Buffer, parse: (text: string) => unknown = parseJson): Record<string, unknown> {
  try {
    return parsedConversation(parse(decoded(body)));
  } catch (cause) {
    throw told(body, cause);
  }
}

/** The same with the numbers of calls as the model wrote them, for an answer that is translated. */
export const exactAnswerObject = (body: Buffer): Record<string, unknown> => answerObject(body, parseExactJson);

/** The same for an answer that may be long: it is parsed in pieces, and others have their turn in between. */
export async function longAnswerObject(body: Buffer): Promise<Record<string, unknown>> {
  const text = decoded(body);
  // Each look at a hundred megabytes takes its milliseconds.
  await ownTurn(body.length);
  const { rest, files } = withoutFiles(text);
  try {
    const parsed = await parseLongJson(rest);
    const value = parsed === null ? JSON.parse(rest) : parsed.value;
    return parsedConversation(files.length === 0 ? value : withFiles(value, files));
  } catch (cause) {
    throw told(body, cause);
  }
}

const told = (body: Buffer, cause: unknown) =>
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

/** A failure for an answer that cannot be understood; whether the supplier worked, nobody knows. */
export const notAnAnswer = (message: string, cause?: unknown): SupplierFailure =>
  new SupplierFailure("protocol", message, { executed: "unknown", cause });

/** A failure for an error inside a 200. A status in its code is as good as that status. */
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
