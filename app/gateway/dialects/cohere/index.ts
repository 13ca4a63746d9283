import type { SupplierFormat } from "../wire/supplier-format";
import { CohereStreamDecoder } from "./decode-stream";
import { readCohereWhole } from "./read-answer";
import { leftOutOfCohere, writeCohereRequest } from "./write-request";

/** The format of Cohere's own chat API, `/v2/chat`. */
export const cohere: SupplierFormat = {
  write: writeCohereRequest,
  leftOut: leftOutOfCohere,
  readWhole: readCohereWhole,
  openParts: () => new CohereStreamDecoder(),
};
