import type { SupplierFormat } from "../translate/formats";
import { readResponseWhole } from "./read-answer";
import { ResponsePartReader } from "./read-parts";
import { leftOutOfResponses, writeResponsesRequest } from "./write-request";

/**
 * The responses format of suppliers, for clients of other dialects: some models combine tools with thinking only in
 * this format. The supplier stores nothing; thoughts are exchanged in encrypted form.
 */
export const responsesFormat: SupplierFormat = {
  write: writeResponsesRequest,
  leftOut: leftOutOfResponses,
  readWhole: readResponseWhole,
  openParts: () => new ResponsePartReader(),
};
