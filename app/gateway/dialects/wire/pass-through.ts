import type { Route } from "~/domain/catalogue/shared";
import { editMembers, type Member } from "~/http/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import { ownFieldEdits } from "./body-checks";
import { notAnAnswer } from "./whole-json";

/** What a dialect keeps of a body that goes to suppliers of the same dialect as it is. */
type PassedThrough = { text: string; members: readonly Member[]; body: Record<string, unknown> };

/** The body for the supplier: the client's own bytes with the supplier's model name, without gw's own fields. */
export function forwardAsItIs(inference: InferenceRequest, route: Route): string {
  const { text, members, body } = inference.source as PassedThrough;
  return editMembers(text, members, ownFieldEdits({ body, members }, route));
}

/** The stream reader of dialects whose answers come as a whole. @throws SupplierFailure `protocol` */
export function neverStreamed(): never {
  throw notAnAnswer("the supplier streamed what is never streamed");
}
