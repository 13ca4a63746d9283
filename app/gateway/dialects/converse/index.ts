import type { SupplierFormat } from "../wire/supplier-format";
import { ConverseStreamDecoder } from "./decode-stream";
import { readConverseWhole } from "./read-answer";
import { leftOutOfConverse, writeConverseRequest } from "./write-request";

/** The format of Amazon Bedrock's Converse and ConverseStream. Stream events arrive here as server-sent events. */
export const converse: SupplierFormat = {
  write: writeConverseRequest,
  leftOut: leftOutOfConverse,
  readWhole: readConverseWhole,
  openParts: (profile) => new ConverseStreamDecoder(profile),
};
