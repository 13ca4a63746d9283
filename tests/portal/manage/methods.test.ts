import { afterAll, beforeAll, expect, test } from "vitest";
import { type Portal, type SignedIn, startPortal } from "../../support/portal";

let portal: Portal;
let owner: SignedIn;
beforeAll(async () => {
  portal = await startPortal();
  owner = await portal.signInAs("owner");
}, 120_000);
afterAll(() => portal?.close());

test("a key is not renamed by a DELETE, and no other page does with it what its form does", async () => {
  const { browser, person } = owner;
  const made = await browser.post("/dashboard/keys/new", { name: "stays" }, { json: true });
  const { id } = (await made.json()) as { id: number };
  const bodies: [string, Record<string, string>][] = [
    [`/dashboard/keys/${id}`, { name: "by DELETE" }],
    ["/dashboard/keys/new", { name: "by DELETE" }],
    ["/dashboard/settings", { intent: "profile", name: "by DELETE" }],
    ["/dashboard/admin/projects", { name: "by DELETE" }],
    ["/dashboard/admin/users/invite", { email: "by-delete@example.com", role: "member" }],
    ["/account/confirm", { password: "by DELETE" }],
    ["/invite/nothing", { name: "by DELETE", password: "several words and a half", accept_terms: "on" }],
  ];
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    for (const [path, body] of bodies) {
      const answer = await browser.post(path, body, { json: true, method });
      expect([method, path, answer.status, (await answer.json()).code]).toEqual([
        method,
        path,
        405,
        "method_not_allowed",
      ]);
    }
  }
  expect(await portal.sql("SELECT name FROM api_key WHERE user_id = $1", [person.userId])).toEqual([{ name: "stays" }]);
});

test("an organisation's page still takes its DELETE", async () => {
  const organisationId = await portal.addOrganisation();
  const answer = await owner.browser.post(
    `/dashboard/admin/organisations/${organisationId}`,
    {},
    { json: true, method: "DELETE" },
  );
  expect([answer.status, (await answer.json()).ok]).toEqual([200, true]);
});

test("a program whose form is refused is told the fields, also where the page around the form cannot be shown", async () => {
  const answer = await portal.visitor().post("/setup/no-such-link", { email: "nobody" }, { json: true });
  expect(answer.status).toBe(422);
  const { code, detail } = (await answer.json()) as { code: string; detail: { loc: string[] }[] };
  expect(code).toBe("validation_error");
  expect(detail.map(({ loc }) => loc[1])).toContain("email");
});
