import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { AUTO_TOPUP_CONSENT_VERSION } from "~/domain/billing/shared";
import { LANGUAGES } from "./languages";
import { i18nFor } from "./server.server";

/** Hash of the consent text in all languages, by version. The accepted version is stored with the settings. */
const TEXTS: Readonly<Record<string, string>> = {
  "2026-11-24": "f094a595823a8379",
};

test("the text of a consent to automatic charges changes only together with its version", () => {
  const texts = LANGUAGES.map((language) => i18nFor(language).getFixedT(language, "autoTopup")("consentText"));
  expect(new Set(texts).size).toBe(LANGUAGES.length);
  const digest = createHash("sha256").update(texts.join("\n")).digest("hex").slice(0, 16);
  expect(TEXTS[AUTO_TOPUP_CONSENT_VERSION]).toBe(digest);
});
