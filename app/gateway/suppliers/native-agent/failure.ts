import type { ErrorCode } from "~/errors/catalogue";
import type { SupplierFailure } from "../../canonical/supplier-failure";
import { type ErrorAnswer, readFailure } from "../toolkit/read-failure";

/** What a client is told when gw's own sign-in is what is wrong. */
export const TOKEN_REFUSED: ErrorCode = "vendorb_token_error";

/** Reads an error answer. What the supplier says about a token concerns gw and not the client. */
export function readNativeFailure(answer: ErrorAnswer): SupplierFailure {
  return readFailure(answer, [401, 402, 403].includes(answer.status) ? TOKEN_REFUSED : null);
}
