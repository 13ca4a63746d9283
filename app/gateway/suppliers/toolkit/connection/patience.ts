import { profileOf } from "~/domain/catalogue/profiles";
import { type Route, USUAL_PATIENCE } from "~/domain/catalogue/shared";

/**
 * Returns the time-outs of a route in milliseconds: the supplier's, or the model profile's if the supplier has the
 * defaults.
 */
export function patienceOf(route: Route): { timeoutMs: number; idleTimeoutMs: number } {
  const { timeoutMs, idleTimeoutMs } = route.supplier;
  const { silence } = profileOf(route);
  return {
    timeoutMs: timeoutMs === USUAL_PATIENCE.timeoutMs ? silence.firstByteMs : timeoutMs,
    idleTimeoutMs: idleTimeoutMs === USUAL_PATIENCE.idleTimeoutMs ? silence.idleMs : idleTimeoutMs,
  };
}
