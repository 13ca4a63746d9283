import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Portal, type SignedIn, startPortal } from "../../support/portal";

const PAGE = "/dashboard/request-log";
let portal: Portal;
let home: number;
let away: number;
const people = {} as Record<"owner" | "admin" | "departmentAdmin" | "member" | "stranger", SignedIn>;
const ids = {} as Record<"research" | "researchAway" | "beacon" | "beaconAway" | "prod" | "prodAway", number>;

beforeAll(async () => {
  portal = await startPortal();
  home = await portal.addOrganisation("Harbour Ltd");
  away = await portal.addOrganisation("Foreign Harbour");
  ids.research = await portal.addDepartment(home, "Research");
  ids.researchAway = await portal.addDepartment(away, "Research abroad");
  people.owner = await portal.signInAs("owner", { adminMode: true });
  const here = { organisationId: home, departmentId: ids.research };
  people.admin = await portal.signInAs("org_admin", { organisationId: home, adminMode: true });
  people.departmentAdmin = await portal.signInAs("department_admin", { ...here, adminMode: true });
  people.member = await portal.signInAs("member", here);
  people.stranger = await portal.signInAs("org_admin", {
    ...{ organisationId: away, departmentId: ids.researchAway, adminMode: true },
  });
  ids.beacon = await addProject(people.admin, home, "Beacon");
  ids.beaconAway = await addProject(people.stranger, away, "Beacon abroad");
  await portal.sql("UPDATE ledger_account SET exempt = true WHERE organisation_id = ANY ($1)", [[home, away]]);
  ids.prod = await callWith(people.member, "prod", ids.beacon);
  ids.prodAway = await callWith(people.stranger, "prod abroad", ids.beaconAway);
  await callWith(people.member, "prod eu", null);
  await vi.waitFor(async () => {
    const [counts] = await portal.sql(
      "SELECT (SELECT count(*)::int FROM usage_event) AS called, (SELECT count(*)::int FROM gateway_refusal) AS rejected",
    );
    expect(counts).toEqual({ called: 3, rejected: 3 });
  }, 10_000);
}, 120_000);
afterAll(() => portal?.close());

async function addProject(by: SignedIn, organisationId: number, name: string): Promise<number> {
  const [{ id }] = await portal.sql(
    "INSERT INTO project (organisation_id, name, description, created_by_id) VALUES ($1, $2, '', $3) RETURNING id",
    [organisationId, name, by.person.userId],
  );
  return id;
}

async function callWith(who: SignedIn, name: string, projectId: number | null): Promise<number> {
  const made = await who.browser.post("/dashboard/keys/new", { name }, { json: true });
  const { id, key } = (await made.json()) as { id: number; key: string };
  if (projectId !== null) await portal.sql("UPDATE api_key SET project_id = $1 WHERE id = $2", [projectId, id]);
  for (const model of ["sandbox-chat", "no-such-model"]) {
    const answer = await fetch(`${portal.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] }),
    });
    await answer.arrayBuffer();
  }
  return id;
}

const html = async (who: SignedIn, query: string) =>
  (await (await who.browser.get(`${PAGE}?${query}`)).text()).replace(/<!-- -->/g, "");
const listed = (page: string) => [...page.matchAll(/href="\/dashboard\/request-log\/([\da-f-]{36})"/g)].length;
const chips = (page: string) => [...page.matchAll(/class="chip">(.*?)<\/b>/g)].map(([, chip = ""]) => plain(chip));
const plain = (page: string) =>
  page
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
const lines = async (who: SignedIn, query: string) =>
  (await (await who.browser.get(`${PAGE}/export?${query}`)).text()).trim().split("\r\n").slice(1);

test.each([
  ["key_name=prod+eu", 1, "API key prod eu"],
  // Several names begin with this text, but only one equals it.
  ["key_name=PROD", 1, "API key prod"],
  ["department_name=sear", 2, "Department Research"],
  ["project_name=beacon", 1, "Project Beacon"],
])("an organisation admin narrows by %s, on the page, in the file and on the next page", async (query, count, chip) => {
  const page = await html(people.admin, query);
  expect(listed(page)).toBe(count);
  expect(chips(page)).toEqual([chip]);
  expect(await lines(people.admin, query)).toHaveLength(count);
  expect(page).toContain(`href="${PAGE}/export?${query}"`);
  expect(listed(await html(people.admin, `${query}&after=1`))).toBe(0);
  expect(plain(await html(people.admin, `${query}&outcome=rejected`))).toContain("no-such-model");
  expect(await lines(people.admin, `${query}&outcome=rejected`)).toHaveLength(count);
});

test("of several that match one is chosen by a link, and nothing is found before", async () => {
  const page = await html(people.admin, "key_name=pro&outcome=complete");
  expect(listed(page)).toBe(0);
  expect(plain(page)).toContain("API key: several match “pro”. Choose one:");
  expect(await lines(people.admin, "key_name=pro")).toEqual([]);
  const [, href = ""] = /href="[^"]*(\?[^"]*key=\d+)"[^>]*>prod </.exec(page) ?? [];
  const chosen = await html(people.admin, href.replaceAll("&amp;", "&").slice(1));
  expect(listed(chosen)).toBe(1);
  expect(chips(chosen)).toEqual(["Result Complete", "API key prod"]);
});

test("what was typed counts before an id in the address, and goes away together with it", async () => {
  const page = await html(people.admin, `key=${ids.prod}&key_name=prod+eu&outcome=complete`);
  expect(chips(page)).toEqual(["Result Complete", "API key prod eu"]);
  expect(listed(page)).toBe(1);
  expect(page).not.toContain(`type="hidden" name="key"`);
  const [, href] = /prod eu<\/b><a[^>]*href="([^"]*)"/.exec(page) ?? [];
  expect(href?.split("?")[1]).toBe("outcome=complete");
});

test("an id is named although nothing is found, and stays when another filter is applied", async () => {
  for (const [name, label] of [
    ["key", "API key prod"],
    ["department", "Department Research"],
    ["project", "Project Beacon"],
  ] as const) {
    const id = { key: ids.prod, department: ids.research, project: ids.beacon }[name];
    const page = await html(people.admin, `${name}=${id}&model=nothing`);
    expect(chips(page)).toEqual(["Model nothing", label]);
    expect(page).toContain(`<input type="hidden" name="${name}" value="${id}"/>`);
  }
});

test("what is foreign finds nothing, and is not named, by its id or by its name", async () => {
  const foreign = [
    [`key=${ids.prodAway}`, "prod abroad"],
    [`department=${ids.researchAway}`, "Research abroad"],
    [`project=${ids.beaconAway}`, "Beacon abroad"],
    [`organisation=${away}`, "Foreign Harbour"],
    ["key_name=abroad", "prod abroad"],
    [`department_name=${ids.researchAway}`, "Research abroad"],
    ["department_name=abroad", "Research abroad"],
    ["project_name=abroad", "Beacon abroad"],
    ["organisation_name=foreign", "Foreign Harbour"],
  ] as const;
  for (const who of [people.admin, people.departmentAdmin, people.member])
    for (const [query, name] of foreign)
      for (const outcome of ["", "&outcome=rejected", "&outcome=in_flight"]) {
        const page = await html(who, query + outcome);
        expect(listed(page)).toBe(0);
        expect(page).not.toContain(name);
        expect(page).not.toContain("no-such-model");
        if (outcome !== "&outcome=in_flight") expect(await lines(who, query + outcome)).toEqual([]);
      }
  // A member can neither see nor filter by a colleague's project and department.
  expect(await lines(people.member, "department_name=Research")).toEqual([]);
});

test("the fields are those by which a reader's requests can be told apart", async () => {
  const fieldsOf = async (who: SignedIn) =>
    [...(await html(who, "")).matchAll(/name="(\w+_name|person)"/g)].map(([, name]) => name);
  expect(await fieldsOf(people.owner)).toEqual([
    ...["key_name", "person", "department_name", "project_name", "organisation_name"],
  ]);
  expect(await fieldsOf(people.admin)).toEqual(["key_name", "person", "department_name", "project_name"]);
  expect(await fieldsOf(people.departmentAdmin)).toEqual(["key_name", "person", "project_name"]);
  expect(await fieldsOf(people.member)).toEqual(["key_name", "project_name"]);
});

test("a platform admin narrows by an organisation, and is told whose each match is", async () => {
  expect(await lines(people.owner, "organisation_name=Harbour+Ltd")).toHaveLength(2);
  const page = await html(people.owner, "project_name=beac");
  expect(plain(page)).toContain("Beacon Harbour Ltd Beacon abroad Foreign Harbour");
});

test("while one types, one kind is offered, at most twenty, within the reader's scope", async () => {
  const offered = async (who: SignedIn, query: string) => {
    const answer = await who.browser.getJson(`/dashboard/search?${query}`);
    return ((await answer.json()) as { results: { kind: string; label: string }[] }).results;
  };
  await portal.sql(
    "INSERT INTO department (organisation_id, name) SELECT $1, 'Unit ' || n FROM generate_series(1, 30) n",
    [home],
  );
  expect(await offered(people.admin, "kind=department&q=unit")).toHaveLength(20);
  expect((await offered(people.admin, "kind=department&q=Unit+7"))[0]?.label).toBe("Unit 7");
  expect(await offered(people.departmentAdmin, "kind=department&q=unit")).toEqual([]);
  expect(await offered(people.member, "kind=department&q=unit")).toEqual([]);
  expect(await offered(people.member, "kind=person&q=harbour")).toEqual([]);
  expect(await offered(people.stranger, "kind=project&q=beacon")).toMatchObject([{ label: "Beacon abroad" }]);
  expect(await offered(people.member, "kind=project&q=beacon")).toEqual([]);
  expect(await offered(people.admin, "kind=organisation&q=harbour")).toEqual([]);
  expect(await offered(people.admin, "kind=key&q=%25%25")).toEqual([]);
  expect((await people.admin.browser.getJson("/dashboard/search?kind=wallet&q=unit")).status).toBe(422);
});
