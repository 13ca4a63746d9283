import type { SupplierFormat } from "../wire/supplier-format";
import { GeminiStreamDecoder } from "./decode-stream";
import { readGeminiBody } from "./read-answer";
import { fieldsOmittedFromGemini, writeGeminiRequest } from "./write-request";

/** The format of `generateContent` and `streamGenerateContent?alt=sse`, in the Gemini API and in Vertex AI. */
export const gemini: SupplierFormat = {
  write: writeGeminiRequest,
  leftOut: fieldsOmittedFromGemini,
  readWhole: readGeminiBody,
  openParts: () => new GeminiStreamDecoder(),
};
