import type { Lane } from "~/domain/catalogue/shared";
import { editMembers } from "~/http/json-surgery";
import type { Ask } from "../../canonical/ask";
import { ownFieldEdits } from "../wire/body-checks";
import type { RerankSource } from "./read";

/**
 * The body for the supplier: documents as texts, which every supplier reads, and without `return_documents`, because gw
 * has the documents itself.
 */
export function forwardRerank(ask: Ask, lane: Lane): string {
  const { text, members, body, texts, hasObjects, topN } = ask.source as RerankSource;
  const edits = ownFieldEdits({ body, members }, lane);
  if (hasObjects) edits.documents = JSON.stringify(texts);
  // Some suppliers refuse to be asked for more results than there are documents.
  if (topN !== null && topN > texts.length) edits.top_n = String(texts.length);
  for (const name of ["return_documents", "rank_fields"]) if (Object.hasOwn(body, name)) edits[name] = null;
  return editMembers(text, members, edits);
}
