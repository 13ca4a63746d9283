import type { Route } from "~/domain/catalogue/shared";
import { editMembers, type Member } from "~/http/body/json/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import { plainName, unpricedTools } from "./billed-tools";
import { ownFieldEdits } from "./body-checks";
import { notAnAnswer } from "./events/whole-json";
import type { BodyFit } from "./fit-members";
import { steers } from "./steering-fields";

/** A request body that is forwarded unchanged to suppliers of the same dialect. */
type PassedThrough = { text: string; members: readonly Member[]; body: Record<string, unknown> };

/** Returns the body for the supplier: the client's bytes with the supplier's model name and without gw's own fields. */
export function forwardAsItIs(inference: InferenceRequest<PassedThrough>, route: Route): string {
  const { text, members, body } = inference.source;
  return editMembers(text, members, ownFieldEdits({ text, body, members }, route));
}

const NOTHING: readonly string[] = Object.freeze([]);

/** Returns the fields removed from a forwarded body, by the client's names: those that would steer the supplier. */
function steeringIn({ source }: InferenceRequest<PassedThrough>, { supplier }: Route): readonly string[] {
  const { members } = source;
  if (!members.some(({ key }) => steers(key, supplier))) return NOTHING;
  return members.filter(({ key }) => steers(key, supplier)).map(({ key }) => plainName(key));
}

/** Same, plus the fields that the route's model is known to reject. */
export function fieldsOmitted(
  inference: InferenceRequest<PassedThrough>,
  route: Route,
  { leftOut }: BodyFit,
): readonly string[] {
  const steering = steeringIn(inference, route);
  return leftOut.length === 0 ? steering : [...steering, ...leftOut];
}

/** Same, plus the tools of a body of the responses format that have no price. */
export function fieldsOmittedFromItems(inference: InferenceRequest<PassedThrough>, route: Route): readonly string[] {
  const tools = unpricedTools(inference.source.body, route);
  return tools.length === 0 ? steeringIn(inference, route) : [...tools, ...steeringIn(inference, route)];
}

/** The stream reader of dialects without streams. @throws SupplierFailure `protocol` */
export function rejectStream(): never {
  throw notAnAnswer("the supplier streamed what is never streamed");
}
