import type { Route } from "~/domain/catalogue/shared";
import type { BodySource } from "../canonical/exchange";
import type { Guarded } from "../canonical/guarded";
import type { GuardedRequest } from "../canonical/inference-request";
import type { Translator } from "../dialects/dialect";

/**
 * The body for a supplier, written from a request that has passed the guard. Suppliers take no other body, so that no way to
 * one leads past the guard.
 * @throws AppError unsupported_parameter for what the supplier's dialect cannot express
 */
export const outgoingBody = (
  { forward }: Pick<Translator, "forward">,
  inference: GuardedRequest,
  route: Route,
): (string & Guarded) | (BodySource & Guarded) =>
  forward(inference, route) as (string & Guarded) | (BodySource & Guarded);
