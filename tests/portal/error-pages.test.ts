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

test("within the dashboard it keeps the navigation and who is signed in", async () => {
  const { browser, person } = await portal.signInAs("member");
  await browser.post("/set-language", { language: "de" });
  const paths = {
    "/dashboard/keys/2147483647": 404,
    "/dashboard/no-such-page": 404,
    "/dashboard/admin/no/such/page": 404,
    "/dashboard/admin/jobs": 403,
  };
  for (const [path, status] of Object.entries(paths)) {
    const answer = await browser.get(path);
    expect(answer.status, path).toBe(status);
    const page = await answer.text();
    expect(page, path).toContain('<nav aria-label="Seiten"');
    expect(page, path).toContain(person.email);
    expect(page.match(/<h1/g), path).toHaveLength(1);
  }
  const asked = await browser.getJson("/dashboard/no-such-page");
  expect([asked.status, (await asked.json()).code]).toEqual([404, "not_found"]);
  const sent = await browser.post("/dashboard/no-such-page", {}, { json: true });
  expect([sent.status, (await sent.json()).code]).toEqual([404, "not_found"]);
});

test("a page that fails says so within the dashboard, tells nothing of why, and the next one works", async () => {
  const { browser, person } = await portal.signInAs("member");
  await browser.post("/set-language", { language: "de" });
  await portal.sql("ALTER TABLE saved_report RENAME TO saved_report_away");
  try {
    const answer = await browser.get("/dashboard/reports");
    expect(answer.status).toBe(500);
    const page = await answer.text();
    expect(page).toContain("<title>Etwas ist schiefgelaufen · gw</title>");
    expect(page).toContain('<nav aria-label="Seiten"');
    expect(page).toContain(person.email);
    expect(page).toContain("Der Fehler wurde protokolliert.");
    expect(page).not.toMatch(/saved_report|relation|prisma|\.ts:|node_modules/i);
    const asked = await browser.getJson("/dashboard/reports");
    expect([asked.status, (await asked.json()).code]).toEqual([500, "internal_error"]);
    expect((await browser.get("/dashboard/keys")).status).toBe(200);
  } finally {
    await portal.sql("ALTER TABLE saved_report_away RENAME TO saved_report");
  }
  expect((await browser.get("/dashboard/reports")).status).toBe(200);
});

test("a path of the dashboard that does not exist asks visitors to sign in, like every other", async () => {
  const answer = await portal.visitor().get("/dashboard/no-such-page");
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/login?next=%2Fdashboard%2Fno-such-page"]);
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
