import type { ErrorCode } from "~/errors/catalogue";
import type { SupplierFailure } from "../../canonical/supplier-failure";
import { type ErrorAnswer, readFailure } from "../toolkit/read-failure";

/** Error code for the client if gw's own token is refused. */
export const TOKEN_REFUSED: ErrorCode = "vendorb_token_error";

/** Reads an error response. An error about a token concerns gw and not the client. */
export function readNativeFailure(answer: ErrorAnswer): SupplierFailure {
  return readFailure(answer, [401, 402, 403].includes(answer.status) ? TOKEN_REFUSED : null);
}
