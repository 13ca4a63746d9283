import { afterAll, beforeAll, expect, test } from "vitest";
import { type Portal, startPortal } from "../support/portal";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 120_000);
afterAll(() => portal?.close());

test("whoever removes a member reads before how many keys leave, and after how many have left", async () => {
  const organisationId = await portal.addOrganisation("Apollo Ltd");
  const { browser: boss } = await portal.signInAs("org_admin", { organisationId });
  const { browser: member, person } = await portal.signInAs("member", { organisationId, name: "Ada Byron" });
  const id = async (answer: Promise<Response>) => ((await (await answer).json()) as { id: number }).id;
  const made = await boss.post("/dashboard/admin/projects", { name: "Apollo" }, { json: true });
  const { location: page } = (await made.json()) as { location: string };
  const projectId = Number(page.split("/").at(-1));
  await boss.post(`${page}/members`, { email: person.email });
  const keyId = await id(
    member.post("/dashboard/keys/new", { name: "k", project_id: String(projectId) }, { json: true }),
  );
  const inProject = async () =>
    (await portal.sql("SELECT project_id FROM api_key WHERE id = $1", [keyId]))[0].project_id;
  expect(await inProject()).toBe(projectId);

  const text = await (await boss.get(page)).text();
  expect(text).toContain("1 key of theirs leaves the project and keeps working.");
  expect(text).toContain("whoever pays for Ada Byron outside the project");
  const answer = await boss.post(`${page}/members/${person.userId}/remove`, {}, { json: true });
  expect(await answer.json()).toMatchObject({ ok: true, removed_keys: 1 });
  expect(await inProject()).toBeNull();
});
