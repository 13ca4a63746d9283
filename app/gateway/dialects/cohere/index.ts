import type { SupplierFormat } from "../wire/supplier-format";
import { CohereStreamDecoder } from "./decode-stream";
import { readCohereBody } from "./read-answer";
import { fieldsOmittedFromCohere, writeCohereRequest } from "./write-request";

/** The format of Cohere's own chat API, `/v2/chat`. */
export const cohere: SupplierFormat = {
  write: writeCohereRequest,
  leftOut: fieldsOmittedFromCohere,
  readWhole: readCohereBody,
  openParts: () => new CohereStreamDecoder(),
};
