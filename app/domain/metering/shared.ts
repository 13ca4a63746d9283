/** One finished call, as the audit log shows it. */
export type AuditEntry = {
  id: bigint;
  requestId: string;
  startedAt: Date;
  /** The key's public id. */
  keyId: string;
  endpoint: string;
  requestedModel: string;
  model: string;
  supplier: string;
  region: string;
  stream: boolean;
  sessionId: string | null;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  /** What the customer was charged. */
  chargedNanoUsd: bigint;
  outcome: string;
  status: number;
  errorCode: string | null;
  attempts: number;
  firstByteMs: number | null;
  latencyMs: number;
};

/** Which calls of an organisation are wanted; null: no restriction. `since` is inclusive, `until` is not. */
export type AuditFilter = {
  organisationId: number;
  keyId: string | null;
  model: string | null;
  supplier: string | null;
  region: string | null;
  since: Date | null;
  until: Date | null;
};
