import type { SupplierFormat } from "../wire/supplier-format";
import { ResponseStreamDecoder } from "./decode-stream";
import { readResponseBody } from "./read-answer";
import { fieldsOmittedFromResponses, writeResponsesRequest } from "./write-request";

/**
 * The responses format of suppliers, for clients of other dialects: some models combine tools with thinking only in
 * this format. The supplier stores nothing; thoughts are exchanged in encrypted form.
 */
export const responsesFormat: SupplierFormat = {
  write: writeResponsesRequest,
  leftOut: fieldsOmittedFromResponses,
  readWhole: readResponseBody,
  openParts: () => new ResponseStreamDecoder(),
};
