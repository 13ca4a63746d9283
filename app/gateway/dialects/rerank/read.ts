import { apiError } from "~/errors/app-error";
import type { Member } from "~/http/body/json/json-surgery";
import type { ParsedJson } from "~/http/body/json/parse-json";
import { DIALECTS } from "../../canonical/dialects";
import type { InferenceRequest } from "../../canonical/inference-request";
import {
  check,
  checkFlag,
  checkObject,
  membersOf,
  modelOf,
  parseBody,
  regionOf,
  sessionIdOf,
  wholeNumber,
} from "../wire/body-checks";
import { refuseAuto } from "../wire/refuse-auto";

/** A rerank body: its text, the positions of its members for edits, and the parsed values. */
export type RerankSource = {
  text: string;
  members: readonly Member[];
  body: Record<string, unknown>;
  query: string;
  /** Documents as texts, in the client's order. */
  texts: readonly string[];
  /** Some documents are objects with a `text`. */
  hasObjects: boolean;
  /** Maximum number of results; null for all. */
  topN: number | null;
  /** The client requested the documents in the results. */
  returnDocuments: boolean;
};

const MAX_DOCUMENTS = 10_000;

/**
 * Reads a rerank request in the forms that both versions of the rerank SDKs send: documents as
 * texts or as `{text}` objects, `top_n`, `return_documents`.
 * @throws AppError missing_model, missing_fields, invalid_request, unsupported_parameter, unsupported_auto_mode.
 */
export function readRerank(text: string, parsed: ParsedJson | null = null): InferenceRequest<RerankSource> {
  const body = parseBody(text, parsed);
  const requestedModel = modelOf(body);
  refuseAuto(requestedModel);
  for (const name of ["query", "documents"]) {
    if (body[name] == null)
      throw apiError("missing_fields", { userMessage: `The field ${name} is missing.`, param: name });
  }
  const { query, documents } = body;
  check(typeof query === "string" && query !== "", "query", "must be a text");
  check(Array.isArray(documents) && documents.length > 0, "documents", "must be a list with at least one document");
  check(documents.length <= MAX_DOCUMENTS, "documents", `takes at most ${MAX_DOCUMENTS} documents`);
  const texts = documents.map(textOf);
  checkFlag(body, "return_documents");
  checkObject(body, "metadata");
  refuseFields(body);
  const source: RerankSource = {
    text,
    members: membersOf(text, parsed),
    body,
    query,
    texts,
    hasObjects: documents.some((document) => typeof document !== "string"),
    topN: wholeNumber(body, "top_n"),
    returnDocuments: body.return_documents === true,
  };
  return {
    dialect: "rerank",
    endpoint: DIALECTS.rerank.endpoint,
    requestedModel,
    stream: false,
    region: regionOf(body),
    sessionId: sessionIdOf(body.metadata as Record<string, unknown> | null),
    size: sizeOf(text, query, texts),
    retrySafe: true,
    source,
  };
}

function textOf(document: unknown, index: number): string {
  const text = typeof document === "object" && document !== null ? (document as { text?: unknown }).text : document;
  check(typeof text === "string", `documents[${index}]`, "must be a text, or an object with a text");
  return text;
}

/** Rejects ranking by fields of structured documents, because gw reads only their text. */
function refuseFields({ rank_fields }: Record<string, unknown>): void {
  if (rank_fields == null || (Array.isArray(rank_fields) && rank_fields.every((name) => name === "text"))) return;
  throw apiError("unsupported_parameter", {
    userMessage: "Documents are ranked by their text only. Leave rank_fields out, and send what counts as the text.",
    param: "rank_fields",
  });
}

/** Tokens per chunk: suppliers split longer documents and rank each chunk separately. */
const CHUNK_TOKENS = 500;
/** Maximum chunks that suppliers bill as one search. */
const CHUNKS_A_SEARCH = 100;

/** Returns the maximum billed size: the query with every chunk, at one token per byte, which no text exceeds. */
function sizeOf(body: string, query: string, texts: readonly string[]): InferenceRequest["size"] {
  const bodyBytes = Buffer.byteLength(body);
  const chunks = texts.reduce((sum, text) => sum + 1 + Math.floor(Buffer.byteLength(text) / CHUNK_TOKENS), 0);
  return {
    bodyBytes,
    hasMedia: false,
    maxInputTokens: bodyBytes + Buffer.byteLength(query) * chunks,
    maxOutputTokens: 0,
    choices: 1,
    maxRequests: Math.ceil(chunks / CHUNKS_A_SEARCH),
  };
}
