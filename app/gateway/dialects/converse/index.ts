import type { SupplierFormat } from "../wire/supplier-format";
import { ConverseStreamDecoder } from "./decode-stream";
import { readConverseBody } from "./read-answer";
import { fieldsOmittedFromConverse, writeConverseRequest } from "./write-request";

/** The format of Amazon Bedrock's Converse and ConverseStream. Stream events arrive here as server-sent events. */
export const converse: SupplierFormat = {
  write: writeConverseRequest,
  leftOut: fieldsOmittedFromConverse,
  readWhole: readConverseBody,
  openParts: (profile) => new ConverseStreamDecoder(profile),
};
