import type { Credential, Supplier } from "~/domain/catalogue/shared";

const turns = new WeakMap<Supplier, number>();

/** The next credential of a supplier in turn; null when it needs none. */
export function pickCredential(supplier: Supplier): Credential | null {
  const { credentials } = supplier;
  if (credentials.length <= 1) return credentials[0] ?? null;
  const turn = turns.get(supplier) ?? 0;
  turns.set(supplier, (turn + 1) % credentials.length);
  return credentials[turn % credentials.length] ?? null;
}
