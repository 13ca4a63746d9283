import { expect, test } from "vitest";
import { CATALOGUE_ENTRIES } from "~/errors/catalogue";
import { LANGUAGES } from "~/i18n/languages";
import { WORDS } from "~/i18n/server.server";
import { thrownCodes } from "./thrown-codes";

/** Files that answer API calls. Errors of the portal's forms are shown on its pages. */
const OF_CALLS = /^app\/(gateway|http|domain\/(accounting|keys|guardrails|idempotency|routing|conversations))\//;
/** Outside the gateway these codes answer only forms and the management API; no inference call ends with them. */
const NO_REASON = new Set(["conflict", "forbidden", "permission_denied", "invalid_input"]);

const reasonsOf = (language: (typeof LANGUAGES)[number]): Readonly<Record<string, string>> =>
  (WORDS[language].reasons as { code: Record<string, string> }).code;

test("every code that a call can end with has a reason in every language", () => {
  const isOfCalls = (code: string) => (place: string) =>
    OF_CALLS.test(place) && (place.startsWith("app/gateway/") || !NO_REASON.has(code));
  const wanted = [...thrownCodes()].filter(([code, places]) => places.some(isOfCalls(code))).map(([code]) => code);
  expect(wanted.length).toBeGreaterThan(50);
  for (const language of LANGUAGES) {
    const known = reasonsOf(language);
    expect(wanted.filter((code) => !known[code]).toSorted(), language).toEqual([]);
  }
});

test("reasons are of codes of the catalogue, and no language has another's", () => {
  const codes = new Set(CATALOGUE_ENTRIES.map(({ code }) => code));
  expect(Object.keys(reasonsOf("en")).filter((code) => !codes.has(code))).toEqual([]);
  for (const language of LANGUAGES.filter((each) => each !== "en")) {
    const same = Object.entries(reasonsOf(language)).filter(([code, reason]) => reason === reasonsOf("en")[code]);
    expect(same, language).toEqual([]);
  }
});
