/** A finished call in a short list. */
export type RecentRequest = {
  /** The portal's id of the row. */
  id: bigint;
  requestId: string;
  startedAt: Date;
  keyId: number;
  keyName: string;
  endpoint: string;
  requestedModel: string;
  model: string;
  supplier: string;
  region: string;
  status: number;
  outcome: string;
  errorCode: string | null;
  attempts: number;
  inputTokens: number;
  outputTokens: number;
  latencyMs: number;
  chargedNanoUsd: bigint;
};

/** Usage of a key since a time. */
export type KeyUse = { requests: number; chargedNanoUsd: bigint };
