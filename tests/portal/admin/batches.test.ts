import type OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { begin, clientOf, linesOf, over } from "../../support/batches";
import { eventually } from "../../support/chat-gateway";
import { type Browser, type Portal, type SignedIn, startPortal } from "../../support/portal";

const PAGE = "/dashboard/batches";
let portal: Portal;
const people = {} as Record<"admin" | "member" | "colleague" | "viewer" | "stranger" | "owner", SignedIn>;
let client: OpenAI;
let houseClient: OpenAI;
let keyId: number;

beforeAll(async () => {
  portal = await startPortal();
  people.admin = await portal.signInAs("org_admin", { adminMode: true });
  people.member = await portal.signInAs("member");
  people.colleague = await portal.signInAs("member");
  people.viewer = await portal.signInAs("viewer");
  people.owner = await portal.signInAs("owner", {
    organisationId: await portal.addOrganisation("Elsewhere"),
    adminMode: true,
  });
  people.stranger = await portal.signInAs("org_admin", {
    organisationId: await portal.addOrganisation("Away"),
    adminMode: true,
  });
  const make = async ({ browser }: SignedIn, fields: object) =>
    (await (await browser.post("/dashboard/keys/new", fields, { json: true })).json()) as { id: number; key: string };
  const made = await make(people.member, { name: "nightly" });
  keyId = made.id;
  client = clientOf(portal, made.key);
  houseClient = clientOf(portal, (await make(people.admin, { name: "house", owner: "nobody" })).key);
}, 120_000);
afterAll(() => portal?.close());

const line = (index: number, model = "sandbox-chat") => ({
  ...{ custom_id: `line-${index}`, method: "POST", url: "/v1/chat/completions" },
  body: { model, max_tokens: 20, messages: [{ role: "user", content: `Question ${index}` }] },
});
const textOf = async (browser: Browser, path: string) => (await browser.get(path)).text();
const statusOf = async (browser: Browser, path: string) => (await browser.fetch(path)).status;
const cancel = (browser: Browser, id: string) => browser.post(`${PAGE}/${id}/cancel`, {}, { json: true });
const file = (id: string, name: string) => `${PAGE}/${id}/download?file=${name}`;

describe("a batch in the portal", () => {
  let id: string;
  beforeAll(async () => {
    const lines = [line(0), line(1), line(2, "sandbox-fault-401")];
    ({ id } = await begin(client, lines, { metadata: { night: "friday" } }));
    await over(client, id);
    // The calls reach the ledger shortly afterwards.
    await eventually(
      () => portal.sql("SELECT count(*)::int AS n FROM usage_event WHERE routing ->> 'batchId' = $1", [id]),
      ([row]) => row.n >= 2,
    );
  }, 60_000);

  test("is listed with its state, its progress and what its calls were charged", async () => {
    const page = await textOf(people.member.browser, PAGE);
    expect(page).toContain(id);
    expect(page).toContain("Completed");
    expect(page).toContain("3 of 3");
    expect(page).toContain("1 failed");
    const [{ charged }] = await portal.sql("SELECT sum(charged)::text AS charged FROM usage_event WHERE key_id = $1", [
      keyId,
    ]);
    expect(Number(charged)).toBeGreaterThan(0);
    expect(page).toContain(`$${(Number(charged) / 1e9).toFixed(9).replace(/0+$/, "")}`);
    expect(await textOf(people.member.browser, `${PAGE}?state=completed`)).toContain(id);
    expect(await textOf(people.member.browser, `${PAGE}?state=failed`)).toContain("No matching batches");
  });

  test("shows its key, what its client noted, and its calls, each leading to its place in the request log", async () => {
    const page = await textOf(people.member.browser, `${PAGE}/${id}`);
    expect(page).toContain("nightly");
    expect(page).toContain("friday");
    const requests = [...page.matchAll(/request-log\/([\da-f-]{36})"/g)].map(([, request]) => request);
    expect(requests.length).toBeGreaterThanOrEqual(2);
    const request = `/dashboard/request-log/${requests[0]}`;
    expect(await textOf(people.member.browser, request)).toContain(`href="${PAGE}/${id}"`);
    // The person's admin sees the request, but not the batch.
    const asAdmin = await textOf(people.admin.browser, request);
    expect(asAdmin).toContain(id);
    expect(asAdmin).not.toContain(`href="${PAGE}/${id}"`);
    expect(page).not.toContain("Cancel batch");
  });

  test("has its files to download, byte by byte as its client gets them", async () => {
    const batch = await client.batches.retrieve(id);
    const download = await people.member.browser.fetch(file(id, "output"));
    expect(download.status).toBe(200);
    expect(download.headers.get("content-disposition")).toContain(`${id}-output.jsonl`);
    const text = await download.text();
    expect(text).toBe(await (await client.files.content(batch.output_file_id as string)).text());
    const part = await people.member.browser.fetch(file(id, "output"), { headers: { range: "bytes=5-9" } });
    expect([part.status, await part.text()]).toEqual([206, text.slice(5, 10)]);
    const errors = await (await people.member.browser.fetch(file(id, "errors"))).text();
    expect(JSON.parse(errors)).toMatchObject({ custom_id: "line-2", response: { status_code: expect.any(Number) } });
    expect(await (await people.member.browser.fetch(file(id, "input"))).text()).toContain("Question 1");
    expect(await statusOf(people.member.browser, file(id, "everything"))).toBe(422);
  });

  test("is not there for anybody else: not for colleagues, admins, other organisations or those who run the installation", async () => {
    for (const name of ["colleague", "viewer", "admin", "stranger", "owner"] as const) {
      const { browser } = people[name];
      expect(await textOf(browser, PAGE)).not.toContain(id);
      expect(await statusOf(browser, `${PAGE}/${id}`)).toBe(404);
      for (const each of ["output", "errors", "input"]) expect(await statusOf(browser, file(id, each))).toBe(404);
      expect((await cancel(browser, id)).status).toBe(name === "viewer" ? 403 : 404);
    }
  });

  test("that is over cannot be cancelled", async () => {
    const answer = await cancel(people.member.browser, id);
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ code: "conflict", human_message: expect.stringContaining("is over") });
  });

  test("says of a file that was deleted that it is gone", async () => {
    await client.files.delete((await client.batches.retrieve(id)).input_file_id);
    expect(await textOf(people.member.browser, `${PAGE}/${id}`)).toContain("Deleted");
    expect(await statusOf(people.member.browser, file(id, "input"))).toBe(404);
  });
});

test("a batch of an unassigned key is for its organisation's admins in the admin view", async () => {
  const { id } = await begin(houseClient, [line(0)]);
  const batch = await over(houseClient, id);
  expect(await textOf(people.admin.browser, PAGE)).toContain(id);
  const answers = await (await people.admin.browser.fetch(file(id, "output"))).text();
  expect(answers.trimEnd().split("\n")).toHaveLength(1);
  expect(await linesOf(houseClient, batch.output_file_id)).toHaveLength(1);
  const inOwnView = await portal.signIn(people.admin.person, { adminMode: false });
  for (const browser of [inOwnView, people.member.browser, people.stranger.browser, people.owner.browser])
    expect(await statusOf(browser, `${PAGE}/${id}`)).toBe(404);
});

test("a batch that is cancelled here begins no more lines, and ends with what was answered", async () => {
  const lines = Array.from({ length: 60 }, (_, index) => line(index, "sandbox-fault-slow"));
  const { id } = await begin(client, lines);
  await eventually(
    () => client.batches.retrieve(id),
    ({ status }) => status === "in_progress",
  );
  expect(await textOf(people.member.browser, `${PAGE}/${id}`)).toContain("Cancel batch");
  const both = await Promise.all([cancel(people.member.browser, id), cancel(people.member.browser, id)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(await textOf(people.member.browser, `${PAGE}/${id}`)).toMatch(/Cancelling|Cancelled/);
  const batch = await over(client, id, 60_000);
  expect(batch.status).toBe("cancelled");
  expect((batch.request_counts?.completed ?? 0) + (batch.request_counts?.failed ?? 0)).toBeLessThan(60);
}, 90_000);

test("lists page by page, and tells those who have none how to make one", async () => {
  expect(await textOf(people.colleague.browser, PAGE)).toContain("client.batches.create");
  const { person } = people.colleague;
  await portal.sql(
    `INSERT INTO batch (id, organisation_id, user_id, key_id, endpoint, input_file_id, state, created_at, expires_at, ended_at)
     SELECT 'batch_' || lpad(n::text, 32, '0'), $1, $2, $3, '/v1/embeddings', 'file-1', 'completed', now() - n * interval '1 minute', now(), now()
       FROM generate_series(1, 60) n`,
    [person.organisationId, person.userId, keyId],
  );
  const idsOf = (page: string) => [
    ...new Set([...page.matchAll(/batches\/(batch_[0-9a-f]{32})"/g)].map(([, id]) => id)),
  ];
  const first = await textOf(people.colleague.browser, PAGE);
  const older = /href="[^"?]*\?(after=batch_[0-9a-f]{32})"/.exec(first)?.[1];
  expect(idsOf(first)).toHaveLength(50);
  expect(idsOf(await textOf(people.colleague.browser, `${PAGE}?${older}`))).toHaveLength(10);
});
