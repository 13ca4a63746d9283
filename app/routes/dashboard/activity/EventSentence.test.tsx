import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { AuditEventView } from "~/domain/activity/shared";
import { createI18n } from "~/i18n/create";
import { WORDS } from "~/i18n/server.server";
import { EventSentence } from "./EventSentence";

const RAISED: AuditEventView = {
  ...{ id: 1n, at: new Date(0), actorId: 4, actorLabel: "ann <b>", organisationId: 1, address: "" },
  ...{ action: "key.update", targetKind: "key", targetId: "9", targetLabel: "search-prod" },
  ...{ before: { budget_limit: "0.05" }, after: { budget_limit: "0.50" } },
};

const written = (language: "en" | "de", event: AuditEventView, names: Record<number, string> = {}) =>
  renderToStaticMarkup(
    <I18nextProvider i18n={createI18n(language, WORDS[language])}>
      <MemoryRouter>
        <EventSentence event={event} reader={{ role: "org_admin", userId: 4, names }} />
      </MemoryRouter>
    </I18nextProvider>,
  );
const plain = (html: string) => html.replace(/<[^>]*>/g, "").replaceAll(" ", " ");

test("an act reads as a sentence in the reader's language, with links to the person and the thing", () => {
  const html = written("en", RAISED);
  expect(plain(html)).toBe("ann &lt;b&gt; raised the budget of search-prod from $0.05 to $0.50");
  expect([...html.matchAll(/href="([^"]+)"/g)].map(([, to]) => to)).toEqual([
    "/dashboard/admin/users/4",
    "/dashboard/keys/9",
  ]);
  expect(plain(written("de", RAISED))).toMatch(
    /^ann &lt;b&gt; hat das Budget von search-prod von .*0.05.* auf .* erhöht$/,
  );
});

test("a thing whose name was not recorded goes by its kind and number", () => {
  const event = { ...RAISED, action: "conversation.read", targetKind: "conversation", targetLabel: "", before: null };
  expect(plain(written("en", event))).toBe("ann &lt;b&gt; read Conversation 9");
});

test("people go by their names where those are known, with what was recorded on hover", () => {
  const event = {
    ...RAISED,
    action: "user.suspend",
    targetKind: "user",
    targetId: "7",
    targetLabel: "bea@example.com",
  };
  const html = written("en", { ...event, before: null, after: null }, { 4: "Ann Other", 7: "Bea Best" });
  expect(plain(html)).toContain("Ann Other");
  expect(plain(html)).toContain("Bea Best");
  expect(html).toContain('title="bea@example.com"');
  expect(plain(written("en", event, { 4: "Ann Other" }))).toContain("bea@example.com");
});
