import { expect, test } from "vitest";
import { effectivePayer, frozenPayerReason, PAYER_REASONS, type PayerFacts } from "./effective-payer";

const OWNERS = {
  nobody: null,
  inherits: { id: 1, billingMode: "inherit", billingExempt: false },
  pays: { id: 1, billingMode: "own", billingExempt: false },
  exempt: { id: 1, billingMode: "inherit", billingExempt: true },
  exemptAndPays: { id: 1, billingMode: "own", billingExempt: true },
};
const billingUser = (status: string, billingExempt = false) => ({ id: 2, status, billingExempt });
const BILLING_USERS = {
  none: null,
  active: billingUser("active"),
  suspended: billingUser("suspended"),
  archived: billingUser("archived"),
  deleted: billingUser("deleted"),
  exempt: billingUser("active", true),
};

/**
 * The payer and the reason, by owner and billing user, in an organisation that is charged; `!` marks an exempt payer.
 */
const TABLE: Record<keyof typeof OWNERS, Record<keyof typeof BILLING_USERS, string>> = {
  nobody: row("organisation 3 organisation", "user 2 billingUser"),
  inherits: row("organisation 3 organisation", "user 2 billingUser"),
  pays: row("user 1 own", "user 1 own", "user 1 own"),
  exempt: row("user 1 exempt!", "user 1 exempt!", "user 1 exempt!"),
  exemptAndPays: row("user 1 exempt!", "user 1 exempt!", "user 1 exempt!"),
};

/** A suspended billing user pays like an active one. An archived or deleted billing user counts as none. */
function row(none: string, active: string, exempt = `${active}!`) {
  return { none, active, suspended: active, archived: none, deleted: none, exempt };
}

const CASES = Object.entries(TABLE).flatMap(([owner, line]) =>
  Object.entries(line).map(([payer, expected]) => ({ owner, payer, expected })),
);

const shown = (facts: PayerFacts) => {
  const { kind, id, reason, exempt } = effectivePayer(facts);
  return `${kind} ${id} ${reason}${exempt ? "!" : ""}`;
};

test.each(CASES)("owner $owner, billing user $payer: $expected", ({ owner, payer, expected }) => {
  const facts: PayerFacts = {
    fundedProjectId: null,
    owner: OWNERS[owner as keyof typeof OWNERS],
    billingUser: BILLING_USERS[payer as keyof typeof BILLING_USERS],
    delegatedPayer: null,
    organisation: { id: 3, billingExempt: false },
  };
  expect(shown(facts)).toBe(expected);
  // Later the reason can still be derived from the wallet.
  const { kind, id, exempt: isExempt, reason } = effectivePayer(facts);
  expect(frozenPayerReason({ kind, id, userId: facts.owner?.id ?? null, exempt: isExempt, delegated: false })).toBe(
    reason,
  );
  // An exempt organisation changes who is charged, not who pays.
  const exempt = { id: 3, billingExempt: true };
  expect(shown({ ...facts, organisation: exempt })).toBe(`${expected.replace("!", "")}!`);
  // A project's wallet takes precedence over all others.
  expect(shown({ ...facts, fundedProjectId: 4 })).toBe("project 4 project");
  expect(shown({ ...facts, fundedProjectId: 4, organisation: exempt })).toBe("project 4 project!");
});

const colleague = (change: Partial<NonNullable<PayerFacts["delegatedPayer"]>> = {}) => ({
  ...{ id: 5, status: "active", billingMode: "own", billingExempt: false },
  ...change,
});

test("a colleague who agreed pays before the person and the organisation, and after project and billing user", () => {
  const organisation = { id: 3, billingExempt: false };
  const base: PayerFacts = {
    ...{ fundedProjectId: null, billingUser: null, organisation },
    ...{ owner: OWNERS.pays, delegatedPayer: colleague() },
  };
  expect(shown(base)).toBe("user 5 delegated");
  expect(shown({ ...base, owner: OWNERS.inherits })).toBe("user 5 delegated");
  expect(shown({ ...base, owner: OWNERS.exempt })).toBe("user 1 exempt!");
  expect(shown({ ...base, billingUser: BILLING_USERS.active })).toBe("user 5 delegated");
  expect(shown({ ...base, billingUser: BILLING_USERS.active, owner: OWNERS.inherits })).toBe("user 2 billingUser");
  expect(shown({ ...base, fundedProjectId: 4 })).toBe("project 4 project");
  expect(shown({ ...base, delegatedPayer: colleague({ status: "suspended" }) })).toBe("user 5 delegated");
  const call = { kind: "user", id: 5, userId: 1, exempt: false } as const;
  expect(frozenPayerReason({ ...call, delegated: true })).toBe("delegated");
});

test.each([{ status: "archived" }, { status: "deleted" }, { billingMode: "inherit" }, { billingExempt: true }])(
  "a colleague who cannot answer for it any more does not pay: %o",
  (change) => {
    const facts = {
      ...{ fundedProjectId: null, billingUser: null, organisation: { id: 3, billingExempt: false } },
      delegatedPayer: colleague(change),
    };
    expect(shown({ ...facts, owner: OWNERS.pays })).toBe("user 1 own");
    expect(shown({ ...facts, owner: OWNERS.inherits })).toBe("organisation 3 organisation");
  },
);

test("every reason is reached", () => {
  const reached = CASES.map(({ expected }) => expected.split(" ")[2]!.replace("!", ""));
  expect(new Set([...reached, "project", "delegated"])).toEqual(new Set(PAYER_REASONS));
});
