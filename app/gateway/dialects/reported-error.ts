/** A supplier's own word about an error. */
export type ReportedError = { code: string | null; type: string | null; message: string };

/** Reads an error that a supplier reports inside an answer, in any of the shapes that are about: a text, or an object whose code may be a number. */
export function reportedError(error: unknown): ReportedError {
  const fields = (typeof error === "object" && error !== null ? error : { message: error }) as Record<string, unknown>;
  const text = (name: string) => (typeof fields[name] === "string" ? (fields[name] as string) : null);
  return {
    code: typeof fields.code === "number" ? String(fields.code) : text("code"),
    type: text("type"),
    message: text("message") ?? "the supplier reported an error",
  };
}
