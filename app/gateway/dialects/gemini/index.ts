import type { SupplierFormat } from "../wire/supplier-format";
import { GeminiStreamDecoder } from "./decode-stream";
import { readGeminiWhole } from "./read-answer";
import { leftOutOfGemini, writeGeminiRequest } from "./write-request";

/** The format of `generateContent` and `streamGenerateContent?alt=sse`, in the Gemini API and in Vertex AI. */
export const gemini: SupplierFormat = {
  write: writeGeminiRequest,
  leftOut: leftOutOfGemini,
  readWhole: readGeminiWhole,
  openParts: () => new GeminiStreamDecoder(),
};
