/** Fault of a model, by the last part of the model's name. */
export type FaultName =
  | "401"
  | "429"
  | "500"
  | "503"
  | "529"
  | "timeout"
  | "slow"
  | "cut"
  | "cut-before"
  | "error-event"
  | "error-mid"
  | "malformed"
  | "empty"
  | "no-usage"
  | "insane-usage";

export type SandboxFault = { model: string; fault: FaultName; meaning: string };

const fault = (name: FaultName, meaning: string): SandboxFault => ({
  model: `sandbox-fault-${name}`,
  fault: name,
  meaning,
});

/**
 * All upstream models that make the sandbox fail, for the catalogue and the documentation. Safe to import in browsers.
 */
export const SANDBOX_FAULTS: readonly SandboxFault[] = [
  fault("401", "refuses the credential"),
  fault("429", "refuses for its rate limit, with Retry-After: 2"),
  fault("500", "answers with a server error"),
  fault("503", "is unavailable, with Retry-After: 1"),
  fault("529", "is overloaded"),
  fault("timeout", "never answers; gw gives up at the supplier's time-out"),
  fault("slow", "answers well, but takes its time: a second for each event, three for a whole answer"),
  fault("cut", "breaks the connection after half of the answer"),
  fault("cut-before", "breaks the connection before any content"),
  fault("error-event", "says 200 and then only an error: the first event, or the whole body"),
  fault("error-mid", "streams half of the answer and then an error event"),
  fault(
    "malformed",
    "streams half of the answer and then an event that is not JSON; a whole answer ends in its middle",
  ),
  fault("empty", "says 200 and nothing else"),
  fault("no-usage", "answers well, but reports no usage"),
  fault("insane-usage", "answers well, but reports impossible usage"),
];

const byModel = new Map(SANDBOX_FAULTS.map((entry) => [entry.model, entry.fault]));

/** Returns the fault of an upstream model; null for an ordinary model. */
export const faultOf = (upstreamModel: string): FaultName | null => byModel.get(upstreamModel) ?? null;
