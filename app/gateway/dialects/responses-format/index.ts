import type { SupplierFormat } from "../translate/formats";
import { readResponseWhole } from "./read-answer";
import { ResponsePartReader } from "./read-parts";
import { leftOutOfResponses, writeResponsesRequest } from "./write-request";

/**
 * The responses format as suppliers speak it, for clients of other dialects: some models take tools beside thinking by nothing else.
 * Nothing is kept at the supplier; thoughts go back and forth encrypted.
 */
export const responsesFormat: SupplierFormat = {
  write: writeResponsesRequest,
  leftOut: leftOutOfResponses,
  readWhole: readResponseWhole,
  openParts: () => new ResponsePartReader(),
};
