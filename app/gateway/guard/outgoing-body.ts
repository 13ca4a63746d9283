import type { Route } from "~/domain/catalogue/shared";
import type { BodySource } from "../canonical/exchange";
import type { Guarded } from "../canonical/guarded";
import type { GuardedRequest } from "../canonical/inference-request";
import type { Translator } from "../dialects/dialect";
import type { BodyFit } from "../dialects/wire/fit-members";

/**
 * Writes the body for a supplier from a request that has passed the guard. Suppliers accept no other type of body, so
 * no request can bypass the guard. See docs/decisions/056.
 * @throws AppError unsupported_parameter for a request that the supplier's dialect cannot express
 */
export const outgoingBody = (
  { forward }: Pick<Translator, "forward">,
  inference: GuardedRequest,
  { route, fit }: { route: Route; fit?: BodyFit | undefined },
): (string & Guarded) | (BodySource & Guarded) =>
  forward(inference, route, fit) as (string & Guarded) | (BodySource & Guarded);
