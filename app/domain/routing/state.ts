import { recordTokenEvent } from "~/domain/credentials/index.server";
import { type CoolingChange, CredentialCooling } from "./health/credential-cooling";
import { HealthTracker } from "./health/health-tracker";
import { SessionPins } from "./session-pins";

/** Health of routes and credentials in this process. Times are those of `monotonicNow`. */
export const health = new HealthTracker(new CredentialCooling(recordCooling));

/** Session pins of this process. */
export const pins = new SessionPins();

/** Milliseconds of a monotonic clock. */
export const monotonicNow = (): number => performance.now();

/** Writes an event when a credential starts to cool down or has been accepted again. */
function recordCooling({ supplier, credential, model, reason, restMs }: CoolingChange): void {
  const where = model === null ? "for all models" : `for ${model}`;
  recordTokenEvent({
    provider: supplier.name,
    keyName: credential.name,
    kind: restMs === null ? "recovered" : "cooled",
    source: "traffic",
    errorKind: reason,
    detail: restMs === null ? where : `${where}, ${Math.ceil(restMs / 1_000)} s`,
  });
}
