import { expect, test } from "vitest";
import { startupBanner } from "./startup-banner";

const nothing = {
  baseUrl: "http://gw.test",
  model: null,
  providers: [],
  pricesDate: "2026-09-23",
  databaseNote: null,
  rootAdminKey: null,
  firstKey: null,
  setupToken: null,
};

test.each([
  ["invite", false, "by invitation (no payment processor is configured; GW_SIGNUP=open opens it)"],
  ["invite", true, "by invitation (GW_SIGNUP=open opens it)"],
  ["open", true, "open to everybody (GW_SIGNUP=invite closes it)"],
  [
    "open",
    false,
    "open to everybody; without a payment processor, new organisations can spend only what you give them",
  ],
] as const)("the start says in one line who may sign up: %s, payments %s", (signUp, takesPayments, line) => {
  expect(startupBanner({ ...nothing, signUp, takesPayments }).split("\n")).toContain(`Sign-up: ${line}`);
});

test("the start says which providers it has found keys of, and of which day the prices are", () => {
  const providers = [
    { name: "openai", models: 40 },
    { name: "ollama", models: 1 },
  ];
  expect(startupBanner({ ...nothing, signUp: "invite", takesPayments: false, providers })).toContain(
    "Suppliers, by the keys in the environment: openai (40 models), ollama (1 model)\nList prices of 2026-09-23\n",
  );
});
