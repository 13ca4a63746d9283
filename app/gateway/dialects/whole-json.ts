import { SupplierFailure } from "../suppliers/adapter";

/**
 * A supplier's whole JSON answer as an object.
 * @throws SupplierFailure `protocol` for HTML, an empty body, and an error inside a 200.
 */
export function answerObject(body: Buffer): Record<string, unknown> {
  let answer: unknown;
  try {
    answer = JSON.parse(body.toString("utf8"));
  } catch (cause) {
    throw notAnAnswer(
      body.length === 0 ? "the supplier sent an empty answer" : "the supplier's answer is not JSON",
      cause,
    );
  }
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

function errorInside(error: unknown): SupplierFailure {
  const fields = (typeof error === "object" ? error : { message: error }) as Record<string, unknown>;
  const text = (name: string) => (typeof fields[name] === "string" ? (fields[name] as string) : null);
  return new SupplierFailure("protocol", text("message") ?? "the supplier reported an error", {
    executed: "no",
    supplierCode: text("code"),
    supplierType: text("type"),
  });
}
