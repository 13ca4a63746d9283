import { recordTokenEvent } from "~/domain/credentials/index.server";
import { type CoolingChange, CredentialCooling } from "./credential-cooling";
import { HealthTracker } from "./health-tracker";
import { SessionPins } from "./session-pins";

/** What this process has learned about routes and credentials. Its times are those of `monotonicNow`. */
export const health = new HealthTracker(new CredentialCooling(noteCooling));

/** Where this process's sessions are. */
export const pins = new SessionPins();

/** Milliseconds of a clock that nobody sets. */
export const monotonicNow = (): number => performance.now();

/** Writes into the event log that a credential has begun to rest, or is trusted again. */
function noteCooling({ supplier, credential, model, reason, restMs }: CoolingChange): void {
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
