import type { LimiterState } from "~/domain/keys/shared";

/** Converts a limiter's state for programs. */
export const limiterAnswer = ({ keyId, at, limit, used, free, nextFreeAt, seconds }: LimiterState) => ({
  key_id: keyId,
  at: at.toISOString(),
  limit,
  used,
  free,
  next_free_at: nextFreeAt?.toISOString() ?? null,
  seconds,
});
