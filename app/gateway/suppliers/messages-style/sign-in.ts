import type { BatchPlace } from "../../canonical/exchange";
import { bearer, isAccount } from "../toolkit/access-token";

/** Suppliers reject a request without a version; a client may set another one. */
export const VERSION = { "anthropic-version": "2023-06-01" };

/** Returns the headers for a request of gw's own. @throws SupplierFailure */
export async function signIn({ supplier, credential }: BatchPlace): Promise<Record<string, string>> {
  const isFixed = credential !== null && !isAccount(credential.apiKey);
  const own = isFixed ? { "x-api-key": credential.apiKey } : await bearer(supplier, credential);
  return { ...VERSION, ...own };
}
