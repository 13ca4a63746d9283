import type { BatchPlace } from "../../canonical/exchange";
import { bearer, isAccount } from "../toolkit/access-token";

/** Suppliers answer nothing to a request without a version; a client may name another one. */
export const VERSION = { "anthropic-version": "2023-06-01" };

/** The headers of a request that no client has made. @throws SupplierFailure */
export async function signIn({ supplier, credential }: BatchPlace): Promise<Record<string, string>> {
  const isFixed = credential !== null && !isAccount(credential.apiKey);
  const own = isFixed ? { "x-api-key": credential.apiKey } : await bearer(supplier, credential);
  return { ...VERSION, ...own };
}
