import { expect, test } from "vitest";
import { slugOf } from "./slug";

test.each([
  ["Acme", "acme"],
  ["  Acme, Inc.  ", "acme-inc"],
  ["OpenTools GmbH & Co. KG", "opentools-gmbh-and-co-kg"],
  ["Müller & Söhne", "mueller-and-soehne"],
  ["Crédit Agricole", "credit-agricole"],
  ["España S.A.", "espana-s-a"],
  ["Łódź Straße", "lodz-strasse"],
  ["Яндекс", "yandeks"],
  ["株式会社", "organisation"],
  ["—", "organisation"],
  [`${"a".repeat(59)} b`, "a".repeat(59)],
  ["a".repeat(500), "a".repeat(60)],
])("%s is %s in an address", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});
