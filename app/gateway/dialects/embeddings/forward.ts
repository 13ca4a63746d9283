import type { Route } from "~/domain/catalogue/shared";
import { editMembers } from "~/http/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import { ownFieldEdits } from "../wire/body-checks";
import type { EmbeddingsSource } from "./read";

/** The body for the supplier: the client's own bytes with the supplier's model name, without gw's own fields. */
export function forwardEmbeddings(inference: InferenceRequest, route: Route): string {
  const { text, members, body } = inference.source as EmbeddingsSource;
  return editMembers(text, members, ownFieldEdits({ body, members }, route));
}
