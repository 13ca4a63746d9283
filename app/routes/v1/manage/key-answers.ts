import type { IssuedKey, KeyView } from "~/domain/keys/index.server";
import { settingAnswers } from "~/domain/keys/shared";
import { encodeCursor } from "~/http/cursor";

/** A new key or a new secret; no other answer contains a secret. */
export const issuedAnswer = (key: IssuedKey) => ({
  id: key.publicId,
  key: key.secret,
  name: key.name,
  created: key.created,
});

/** A key in the management API. Bigints become exact decimals of US dollars. */
export function keyAnswer(key: KeyView) {
  const { budget } = key;
  return {
    id: key.publicId,
    name: key.name,
    kind: key.kind,
    status: key.status,
    budget_limit: budget?.limitNanoUsd ?? null,
    budget_used: budget?.spentNanoUsd ?? 0n,
    budget_remaining: budget?.availableNanoUsd ?? null,
    budget_period: budget?.period ?? null,
    resets_at: budget?.resetsAt ?? null,
    ...settingAnswers(key),
    created: key.createdAt,
    rotated_at: key.rotatedAt,
    previous_valid_until: key.previousValidUntil,
    revoked_at: key.revokedAt,
    key_hint: `${key.secretPrefix}…${key.secretLast4}`,
  };
}

export const keyListAnswer = ({ keys, nextBeforeId }: { keys: KeyView[]; nextBeforeId: number | null }) => ({
  data: keys.map(keyAnswer),
  next_cursor: nextBeforeId === null ? null : encodeCursor("keys", nextBeforeId),
});
