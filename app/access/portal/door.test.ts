import { RouterContextProvider } from "react-router";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { readConfig, setConfig } from "~/config.server";
import { apiError } from "~/errors/app-error";
import { Id, Usd } from "~/http/body/fields";
import { setLogLevel } from "~/observe/log.server";
import { knownContext } from "../actor.server";
import { languageContext } from "../language.server";
import { done, portalEndpoint } from "./endpoint.server";
import { pageAction } from "./page-action.server";
import { pageLoader } from "./page-loader.server";

beforeAll(() => {
  setLogLevel("silent");
  setConfig(readConfig({ GW_SECRET: "a-secret-of-more-than-32-characters-for-tests" }));
});

const actor = { userId: 1, sessionId: 1, email: "ada@example.com", name: "Ada", role: "member", organisationId: 1 };
const person = { actor: { ...actor, departmentId: null, adminMode: false, adminOrganisationId: null, language: "de" } };

function given(method: string, { path = "/p/7", body = {}, json = false, signedIn = true } = {}) {
  const url = new URL(path, "http://portal.example");
  const context = new RouterContextProvider();
  if (signedIn)
    context.set(knownContext, { person: { ...person, accountState: "ready", recentlyProved: false } } as never);
  context.set(languageContext, "de");
  const headers = new Headers(json ? { accept: "application/json" } : {});
  const form = method === "GET" || method === "HEAD" ? undefined : new URLSearchParams(body);
  return { request: new Request(url, { method, headers, body: form }), url, params: { userId: "7" }, context };
}

const options = {
  allow: "member",
  params: z.object({ userId: Id }),
  query: z.object({ page: Id.optional() }),
} as const;
const endpoint = portalEndpoint({
  ...options,
  GET: ({ params, query }) => ({ params, query }),
  POST: {
    body: z.object({ amount: Usd }),
    run: ({ body }) => done({ to: "/p", answer: { nano: String(body.amount) } }),
  },
});
const answer = async (response: Response) => ({ status: response.status, body: await response.json() });

test("an endpoint checks the method first, then who asks, the path, the query and the body", async () => {
  const wrong = { path: "/p/7?page=x", body: { amount: "x" }, json: true };
  const put = await endpoint({ ...given("PUT", { ...wrong, signedIn: false }), params: { userId: "x" } });
  expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  const visitor = await endpoint({ ...given("POST", { ...wrong, signedIn: false }), params: { userId: "x" } });
  expect(visitor.status).toBe(401);
  const locs = [];
  for (const each of [
    { ...given("POST", wrong), params: { userId: "x" } },
    given("POST", wrong),
    given("POST", { ...wrong, path: "/p/7" }),
  ])
    locs.push((await answer(await endpoint(each))).body.detail[0].loc);
  expect(locs).toEqual([
    ["path", "user_id"],
    ["query", "page"],
    ["body", "amount"],
  ]);
});

test("what holds reaches the operation, checked", async () => {
  const read = await answer(await endpoint(given("HEAD", { path: "/p/7?page=2" })));
  expect(read).toEqual({ status: 200, body: { ok: true, params: { userId: 7 }, query: { page: 2 } } });
  const sent = await answer(await endpoint(given("POST", { body: { amount: "$1.5" }, json: true })));
  expect(sent).toEqual({ status: 200, body: { ok: true, nano: "1500000000" } });
});

test("programs read what is wrong in English, with a field that nobody asked for", async () => {
  const { status, body } = await answer(
    await endpoint(given("POST", { body: { amount: "x", more: "1" }, json: true })),
  );
  expect(status).toBe(422);
  expect(body.human_message).toBe("amount: Enter an amount in US dollars such as 250 or 12.50.");
  expect(body.detail.map(({ type }: { type: string }) => type)).toEqual(["value_error", "extra_forbidden"]);
});

const Form = z.object({ name: z.string().min(1).max(3), secret_word: z.string().optional() });
const action = pageAction({ allow: options.allow, params: options.params, body: Form }, ({ body }) => {
  if (body.name === "won") throw apiError("conflict", { key: "problems:emailTaken", param: "name" });
  if (body.name === "pro") throw apiError("authentication_required");
  return { to: "/p", toast: "keys:title" };
});
const refusedForm = async (body: Record<string, string>) => {
  const refused = await action(given("POST", { body }));
  return refused instanceof Response ? refused : { status: refused.init?.status, ...refused.data };
};

test("a form that is refused comes back on its page, in the reader's language, with what was typed", async () => {
  expect(await refusedForm({ name: "too long", secret_word: "x" })).toEqual({
    status: 422,
    form: { fields: { name: "Höchstens 3 Zeichen." }, sent: { name: "too long" }, problem: null },
  });
  expect(await refusedForm({})).toMatchObject({ form: { fields: { name: "Füllen Sie dieses Feld aus." } } });
  expect(await refusedForm({ name: "won" })).toMatchObject({
    status: 409,
    form: { fields: { name: expect.stringContaining("E-Mail-Adresse") } },
  });
});

test("a form that has to wait for a proof goes to the page that asks for it, and keeps what was typed", async () => {
  const response = (await refusedForm({ name: "pro" })) as Response;
  expect([response.status, response.headers.get("location")]).toEqual([303, "/account/confirm?next=%2Fp%2F7"]);
  expect(response.headers.getSetCookie()[0]).toMatch(/^gw_draft=/);
});

test("a page throws the answer to a refusal, and anything else as it is", async () => {
  const broken = new Error("broken");
  const page = pageLoader({ allow: "owner" }, () => {
    throw broken;
  });
  await expect(page(given("GET"))).rejects.toMatchObject({ status: 403 });
  const open = pageLoader({ allow: "anyone" }, ({ actor }) => {
    if (actor === null) throw broken;
    return actor.email;
  });
  expect(await open(given("GET"))).toBe("ada@example.com");
  await expect(open(given("GET", { signedIn: false }))).rejects.toBe(broken);
});
