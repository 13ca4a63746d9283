import type { ErrorCode } from "~/errors/catalogue";
import type { SupplierHeaders } from "../../canonical/exchange";
import type { SupplierFailure } from "../../canonical/supplier-failure";
import { readFailure } from "../toolkit/read-failure";

/** What a client is told when gw's own sign-in is what is wrong. */
export const TOKEN_REFUSED: ErrorCode = "vendorb_token_error";

/** Reads an error answer. What the supplier says about a token concerns gw and not the client. */
export function readNativeFailure(status: number, headers: SupplierHeaders, body: Buffer): SupplierFailure {
  return readFailure(status, headers, body, status === 401 || status === 402 || status === 403 ? TOKEN_REFUSED : null);
}
