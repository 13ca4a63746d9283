import type { Route } from "~/domain/catalogue/shared";
import { editMembers } from "~/http/body/json/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import { ownFieldEdits } from "../wire/body-checks";
import type { RerankSource } from "./read";

/**
 * Returns the body for the supplier: documents as texts, which every supplier accepts, and without `return_documents`,
 * because gw adds the documents itself.
 */
export function forwardRerank(inference: InferenceRequest<RerankSource>, route: Route): string {
  const { text, members, body, texts, hasObjects, topN } = inference.source;
  const edits = ownFieldEdits({ text, body, members }, route);
  if (hasObjects) edits.documents = JSON.stringify(texts);
  // Some suppliers reject a number of results above the number of documents.
  if (topN !== null && topN > texts.length) edits.top_n = String(texts.length);
  for (const name of ["return_documents", "rank_fields"]) if (Object.hasOwn(body, name)) edits[name] = null;
  return editMembers(text, members, edits);
}
