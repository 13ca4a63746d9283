import type { BatchEndpoint } from "~/domain/batches/shared";
import { chatDialect } from "../dialects/chat";
import { completionsDialect } from "../dialects/completions";
import type { Dialect } from "../dialects/dialect";
import { embeddingsDialect } from "../dialects/embeddings";
import { responsesDialect } from "../dialects/responses";

/** Dialects of the endpoints that batches support. */
export const DIALECT_OF: Readonly<Record<BatchEndpoint, Dialect>> = {
  "/v1/chat/completions": chatDialect,
  "/v1/completions": completionsDialect,
  "/v1/embeddings": embeddingsDialect,
  "/v1/responses": responsesDialect,
};
