import { afterAll, beforeAll, expect, test } from "vitest";
import { type Portal, type SignedIn, startPortal } from "../support/portal";

const PAGE = "/dashboard/activity";
let portal: Portal;
let admin: SignedIn;
let stranger: SignedIn;
let organisationId: number;

beforeAll(async () => {
  portal = await startPortal();
  organisationId = await portal.addOrganisation("Acting Ltd");
  admin = await portal.signInAs("org_admin", { organisationId, name: "Ada Admin", email: "ada@acting.example" });
  const [first, second] = [
    await portal.signInAs("member", { organisationId, name: "Robin Reed", email: "robin.reed@acting.example" }),
    await portal.signInAs("member", { organisationId, name: "Robin Rush", email: "robin.rush@acting.example" }),
  ];
  stranger = await portal.signInAs("member", { name: "Robin Stranger", email: "robin@elsewhere.example" });
  for (const { browser, person } of [first, second, stranger])
    await browser.post("/dashboard/keys/new", { name: `key-${person.userId}` }, { json: true });
}, 120_000);
afterAll(() => portal?.close());

const textOf = (html: string) =>
  html
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
const page = async (query: string, { browser } = admin) => (await browser.get(`${PAGE}${query}`)).text();
const lines = async (query: string, { browser } = admin) =>
  (await (await browser.get(`${PAGE}/export${query}`)).text()).trim().split("\r\n").slice(1);

test("a name, an address or a part of one that only one person has finds their acts, on the page and in the file", async () => {
  for (const person of ["reed", "robin.reed@acting.example", "ROBIN REED"]) {
    const query = `?person=${encodeURIComponent(person)}`;
    const text = textOf(await page(query));
    expect(text).toMatch(/Robin Reed created/);
    expect(text).not.toContain("Rush");
    expect(await lines(query)).toHaveLength(1);
  }
});

test("of several who are meant one is chosen by a link, and nothing is found before", async () => {
  const html = await page("?person=robin");
  expect(textOf(html)).toContain("Several people match");
  expect(await lines("?person=robin")).toEqual([]);
  const [, href = ""] = /href="([^"]*actor=\d+[^"]*)"[^>]*>Robin Rush/.exec(html) ?? [];
  const chosen = textOf(await (await admin.browser.get(href.replaceAll("&amp;", "&"))).text());
  expect(chosen).toMatch(/Robin Rush created/);
  expect(chosen).not.toContain("Several people match");
});

test("people of others are not found, by their name, their address or their number", async () => {
  for (const person of ["Robin Stranger", "robin@elsewhere.example", String(stranger.person.userId)]) {
    const query = `?person=${encodeURIComponent(person)}`;
    const html = await page(query);
    // Only the search field contains the typed text.
    expect(textOf(html)).not.toContain("Robin Stranger created");
    expect(textOf(html)).not.toContain("elsewhere.example created");
    expect(html).not.toContain(`actor=${stranger.person.userId}`);
    expect(await lines(query)).toEqual([]);
  }
  expect(textOf(await page("?person=Robin+Stranger"))).toContain("Nobody you administer");
});

test("who sees their own acts only has no such field, and a name finds nothing for them", async () => {
  expect(await page("", stranger)).not.toContain('name="person"');
  expect(await lines("?person=robin", stranger)).toEqual([]);
});

test("a number still finds who has it, and a pattern is no pattern", async () => {
  const { userId } = admin.person;
  expect(await page(`?actor=${userId}`)).toContain('name="person"');
  expect(await lines("?person=%25")).toEqual([]);
});

test("who has gone elsewhere goes by what was recorded here, not by the name that they have there", async () => {
  const [{ id }] = await portal.sql("SELECT id FROM app_user WHERE email = 'robin.rush@acting.example'");
  const organisationId = await portal.addOrganisation("elsewhere");
  await portal.sql("UPDATE app_user SET organisation_id = $1, name = 'Robin Moved' WHERE id = $2", [
    organisationId,
    id,
  ]);
  const text = textOf(await page(`?actor=${id}`));
  expect(text).toContain("robin.rush@acting.example created");
  expect(text).not.toContain("Moved");
});
