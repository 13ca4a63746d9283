/** Why a payer pays. The first reason that applies decides. */
export const PAYER_REASONS = ["project", "exempt", "billingUser", "delegated", "own", "organisation"] as const;
export type PayerReason = (typeof PAYER_REASONS)[number];

/** The facts that decide who pays for the calls of a key, or of a person outside of projects. */
export type PayerFacts = {
  /** The key's project, if the project has its own wallet. */
  fundedProjectId: number | null;
  /** The key's owner; null: none. */
  owner: { id: number; billingMode: string; billingExempt: boolean } | null;
  billingUser: { id: number; status: string; billingExempt: boolean } | null;
  /** The colleague who has agreed to pay for the key's owner. */
  delegatedPayer: { id: number; status: string; billingMode: string; billingExempt: boolean } | null;
  organisation: { id: number; billingExempt: boolean };
};

/**
 * Returns why a finished call had its payer. Only the wallet is stored with the call; the reason that `effectivePayer`
 * had follows from the owner of the wallet and the owner of the key.
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
  /** If the payer has no wallet yet, it is opened as exempt. */
  exempt: boolean;
};

/**
 * Returns the effective payer, the first of: a project that has a wallet; an exempt owner of the key; the
 * organisation's billing user, unless the owner pays for themselves; the colleague who has agreed to pay for the owner;
 * an owner who pays for themselves; the organisation. A suspended person continues to pay for others, because the
 * wallet remains theirs; an archived or deleted person does not. A colleague pays only as long as they pay for
 * themselves and are charged.
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
  // An exempt person's own wallet counts what they would have paid; no other wallet is charged for them.
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
