import type { Route } from "~/domain/catalogue/shared";
import { editMembers, type Member } from "~/http/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import { plainName, unpricedTools } from "./billed-tools";
import { ownFieldEdits } from "./body-checks";
import type { BodyFit } from "./fit-body";
import { steers } from "./steering-fields";
import { notAnAnswer } from "./whole-json";

/** What a dialect keeps of a body that goes to suppliers of the same dialect as it is. */
type PassedThrough = { text: string; members: readonly Member[]; body: Record<string, unknown> };

/** The body for the supplier: the client's own bytes with the supplier's model name, without gw's own fields. */
export function forwardAsItIs(inference: InferenceRequest, route: Route): string {
  const { text, members, body } = inference.source as PassedThrough;
  return editMembers(text, members, ownFieldEdits({ text, body, members }, route));
}

const NOTHING: readonly string[] = Object.freeze([]);

/** What is taken out of a body that goes on as it is, by the client's names: fields that would steer the supplier. */
function steeringIn({ source }: InferenceRequest, { supplier }: Route): readonly string[] {
  const { members } = source as PassedThrough;
  const found = members.filter(({ key }) => steers(key, supplier));
  return found.length === 0 ? NOTHING : found.map(({ key }) => plainName(key));
}

/** The same, and what the route's model is known to refuse. */
export const leftOutBy =
  (fitting: (body: Readonly<Record<string, unknown>>, route: Route) => BodyFit) =>
  (inference: InferenceRequest, route: Route): readonly string[] => {
    const { leftOut } = fitting((inference.source as PassedThrough).body, route);
    const steering = steeringIn(inference, route);
    return leftOut.length === 0 ? steering : [...steering, ...leftOut];
  };

/** The same, and the tools of a body of the responses format that have no price. */
export function leftOutOfItems(inference: InferenceRequest, route: Route): readonly string[] {
  const tools = unpricedTools((inference.source as PassedThrough).body, route);
  return tools.length === 0 ? steeringIn(inference, route) : [...tools, ...steeringIn(inference, route)];
}

/** The stream reader of dialects whose answers come as a whole. @throws SupplierFailure `protocol` */
export function neverStreamed(): never {
  throw notAnAnswer("the supplier streamed what is never streamed");
}
