/** Why a payer pays: the first of these that holds. */
export const PAYER_REASONS = ["project", "exempt", "billingUser", "delegated", "own", "organisation"] as const;
export type PayerReason = (typeof PAYER_REASONS)[number];

/** What decides who pays for the calls of a key, or of a person outside of projects. */
export type PayerFacts = {
  /** The key's project, where that has a wallet of its own. */
  fundedProjectId: number | null;
  /** Whose key it is; null: nobody's. */
  owner: { id: number; billingMode: string; billingExempt: boolean } | null;
  billingUser: { id: number; status: string; billingExempt: boolean } | null;
  /** The colleague who has agreed to pay for whoever owns the key. */
  delegatedPayer: { id: number; status: string; billingMode: string; billingExempt: boolean } | null;
  organisation: { id: number; billingExempt: boolean };
};

/**
 * Why the payer of a finished call was that one. Only the wallet was frozen with the call; whose it is, beside whose key it was,
 * tells the reason that `effectivePayer` had.
 */
export function frozenPayerReason(call: {
  kind: PayerChoice["kind"];
  id: number;
  userId: number | null;
  exempt: boolean;
  /** The wallet's owner had agreed to pay for this person when the call was admitted. */
  delegated: boolean;
}): PayerReason {
  if (call.kind !== "user") return call.kind;
  if (call.id !== call.userId) return call.delegated ? "delegated" : "billingUser";
  return call.exempt ? "exempt" : "own";
}

export type PayerChoice = {
  kind: "project" | "user" | "organisation";
  id: number;
  reason: PayerReason;
  /** A wallet that is opened for the payer is not charged. */
  exempt: boolean;
};

/**
 * The effective payer: a project that has a wallet; else an exempt owner of the key; else the organisation's billing user, where
 * the owner does not pay for themselves; else the colleague who has agreed to pay for the owner; else an owner who pays for
 * themselves; else the organisation. Somebody suspended goes on paying for others, because their wallet stays theirs; one who
 * has left does not. A colleague pays only as long as they pay for themselves and are charged.
 */
export function effectivePayer({
  fundedProjectId,
  owner,
  billingUser,
  delegatedPayer,
  organisation,
}: PayerFacts): PayerChoice {
  const exempt = organisation.billingExempt;
  if (fundedProjectId !== null) return { kind: "project", id: fundedProjectId, reason: "project", exempt };
  // An exempt person's own wallet counts what they would have paid; nobody else is charged for them.
  if (owner?.billingExempt) return { kind: "user", id: owner.id, reason: "exempt", exempt: true };
  const own = owner?.billingMode === "own";
  if (!own && billingUser !== null && isStillHere(billingUser)) {
    const { id, billingExempt } = billingUser;
    return { kind: "user", id, reason: "billingUser", exempt: exempt || billingExempt };
  }
  if (delegatedPayer !== null && isStillHere(delegatedPayer) && paysForThemselves(delegatedPayer)) {
    return { kind: "user", id: delegatedPayer.id, reason: "delegated", exempt };
  }
  if (own) return { kind: "user", id: owner.id, reason: "own", exempt };
  return { kind: "organisation", id: organisation.id, reason: "organisation", exempt };
}

const isStillHere = ({ status }: { status: string }): boolean => status === "active" || status === "suspended";

const paysForThemselves = (person: { billingMode: string; billingExempt: boolean }): boolean =>
  person.billingMode === "own" && !person.billingExempt;
