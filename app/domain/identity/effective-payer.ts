/** Why a payer pays: the first of these that holds. */
export const PAYER_REASONS = ["project", "exempt", "own", "billingUser", "organisation"] as const;
export type PayerReason = (typeof PAYER_REASONS)[number];

/** What decides who pays for the calls of a key, or of a person outside of projects. */
export type PayerFacts = {
  /** The key's project, where that has a wallet of its own. */
  fundedProjectId: number | null;
  /** Whose key it is; null: nobody's. */
  owner: { id: number; billingMode: string; billingExempt: boolean } | null;
  billingUser: { id: number; status: string; billingExempt: boolean } | null;
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
}): PayerReason {
  if (call.kind !== "user") return call.kind;
  if (call.id !== call.userId) return "billingUser";
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
 * The effective payer: a project that has a wallet; else whoever owns the key, where they are exempt or pay for themselves; else
 * the organisation's billing user; else the organisation. A suspended billing user goes on paying, because their wallet stays
 * theirs; one who has left does not.
 */
export function effectivePayer({ fundedProjectId, owner, billingUser, organisation }: PayerFacts): PayerChoice {
  const exempt = organisation.billingExempt;
  if (fundedProjectId !== null) return { kind: "project", id: fundedProjectId, reason: "project", exempt };
  // An exempt person's own wallet counts what they would have paid; nobody else is charged for them.
  if (owner?.billingExempt) return { kind: "user", id: owner.id, reason: "exempt", exempt: true };
  if (owner?.billingMode === "own") return { kind: "user", id: owner.id, reason: "own", exempt };
  if (billingUser !== null && (billingUser.status === "active" || billingUser.status === "suspended")) {
    const { id, billingExempt } = billingUser;
    return { kind: "user", id, reason: "billingUser", exempt: exempt || billingExempt };
  }
  return { kind: "organisation", id: organisation.id, reason: "organisation", exempt };
}
