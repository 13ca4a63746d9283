import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { expect, test } from "vitest";
import { createI18n } from "~/i18n/create";
import { WORDS } from "~/i18n/server.server";
import { type Change, StatCard } from "./StatCard";

const written = (change: Change) =>
  renderToStaticMarkup(
    <I18nextProvider i18n={createI18n("en", WORDS.en)}>
      <StatCard label="Requests" value="127" change={change} />
    </I18nextProvider>,
  ).replace(/<[^>]*>/g, "");

test("from ten times on, a figure is compared with the earlier value instead of a percentage", () => {
  expect(written({ share: 13.111, more: "neutral", before: "9" })).toContain("from 9");
  expect(written({ share: 13.111, more: "neutral" })).toContain("&gt; 10×");
  expect(written({ share: 8.9, more: "neutral", before: "12" })).toContain("+890%");
  expect(written({ share: -0.06, more: "bad", before: "12" })).toContain("−6%");
});
