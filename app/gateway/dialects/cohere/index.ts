import type { SupplierFormat } from "../translate/formats";
import { readCohereWhole } from "./read-answer";
import { CoherePartReader } from "./read-parts";
import { leftOutOfCohere, writeCohereRequest } from "./write-request";

/** The format of Cohere's own chat API, `/v2/chat`. */
export const cohere: SupplierFormat = {
  write: writeCohereRequest,
  leftOut: leftOutOfCohere,
  readWhole: readCohereWhole,
  openParts: () => new CoherePartReader(),
};
