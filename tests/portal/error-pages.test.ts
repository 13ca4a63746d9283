import { afterAll, beforeAll, expect, test } from "vitest";
import { type Portal, startPortal } from "../support/portal";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 180_000);
afterAll(() => portal?.close());

test("a page that is missing or closed says so in the reader's language, and leads back to the dashboard", async () => {
  const { browser } = await portal.signInAs("member");
  await browser.post("/set-language", { language: "de" });
  const missing = await browser.get("/dashboard/keys/2147483647");
  expect(missing.status).toBe(404);
  const page = await missing.text();
  expect(page).toContain("<title>Seite nicht gefunden · gw</title>");
  expect(page).toContain("Diesen API-Schlüssel gibt es nicht.");
  expect(page).toContain("Zur Übersicht");
  const closed = await browser.get("/dashboard/admin/organisations");
  expect(closed.status).toBe(403);
  expect(await closed.text()).toContain("Sie haben keinen Zugriff auf diese Seite");
});

test("visitors read it in the language that their browser asks for, and are led to the home page", async () => {
  const missing = await portal.visitor().get("/no-such-page", { "accept-language": "fr" });
  expect(missing.status).toBe(404);
  const page = await missing.text();
  expect(page).toContain("Page introuvable");
  expect(page).toContain("Aller à la page d’accueil");
});

test("programs are told in English, whatever the language", async () => {
  const { browser } = await portal.signInAs("member");
  await browser.post("/set-language", { language: "de" });
  const missing = await browser.get("/dashboard/keys/2147483647", { accept: "application/json" });
  expect(missing.status).toBe(404);
  expect(await missing.json()).toMatchObject({ code: "not_found", human_message: "There is no such API key." });
});
