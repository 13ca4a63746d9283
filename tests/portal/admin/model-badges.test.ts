import { afterAll, beforeAll, expect, test } from "vitest";
import { pageText } from "../../support/page-text";
import { type Portal, startPortal } from "../../support/portal";

let portal: Portal;
let pageOf: (path: string) => Promise<string>;

const price = { input_per_mtok: 1, output_per_mtok: 2 };
const model = (id: string, more: object, ...suppliers: string[]) => ({
  ...{ id, context_tokens: 1000, max_output_tokens: 100 },
  routes: suppliers.map((supplier, at) => ({ supplier, upstream_model: "sandbox-chat", priority: at + 1, price })),
  ...more,
});

beforeAll(async () => {
  portal = await startPortal({
    config: {
      suppliers: [
        { name: "keeps-nothing", kind: "sandbox", region: "eu", zero_data_retention: true },
        { name: "keeps-all", kind: "sandbox", region: "us", zero_data_retention: false },
      ],
      models: [
        model("both", { lifecycle: "preview", tools: true, images: false, quality: 70 }, "keeps-nothing", "keeps-all"),
        model("safe", { lifecycle: "deprecated", retires_at: "2099-03-31" }, "keeps-nothing"),
        model("gone", { retires_at: "2020-01-31", auto: false }, "keeps-all"),
      ],
    },
  });
  const { browser } = await portal.signInAs("viewer");
  pageOf = async (path) =>
    (await (await browser.get(path)).text()).replace(/<script[\s\S]*?<\/script>/g, "").replace(/<!-- -->/g, "");
}, 120_000);
afterAll(() => portal?.close());

const rowOf = (html: string, id: string) =>
  pageText(html.split("<tr").find((row) => row.includes(`/dashboard/models/${id}"`)) ?? "no row");

test("the list says which models are a preview or about to go, and where nothing is kept", async () => {
  const list = await pageOf("/dashboard/models");
  expect(rowOf(list, "both")).toMatch(/Zero data retention Preview/);
  expect(rowOf(list, "safe")).toMatch(/Zero data retention Deprecated Retires on Mar 31, 2099/);
  expect(rowOf(list, "gone")).toMatch(/Retired on Jan 31, 2020/);
  expect(rowOf(list, "gone")).not.toContain("Zero data retention");
  expect(list).toContain("Every supplier of this model keeps nothing");
  expect(list).toContain("At least one supplier of this model keeps nothing");
});

test("a model's page says it of each supplier, and what the model is for the autorouter", async () => {
  const both = pageText(await pageOf("/dashboard/models/both"));
  expect(both).toMatch(/keeps-nothing eu ZDR/);
  expect(both).not.toMatch(/keeps-all us ZDR/);
  expect(both).toMatch(/Text requests Yes Requests with tools Yes Requests with images No Quality 70 \/ 100/);
  expect(pageText(await pageOf("/dashboard/models/gone"))).toContain("Never chosen automatically.");
});

test("the public list says the same", async () => {
  const html = (await (await fetch(`${portal.url}/models-public`)).text()).replace(/<!-- -->/g, "");
  const cardOf = (id: string) =>
    pageText(html.split("<article").find((card) => card.includes(`id="${id}"`)) ?? "no card").replace(/^.*?>/, "");
  expect(cardOf("both")).toMatch(/Zero data retention Preview .* keeps-nothing eu ZDR 2 keeps-all us\s*$/);
  expect(cardOf("safe")).toMatch(/Zero data retention Deprecated Retires on Mar 31, 2099/);
  expect(cardOf("gone")).toMatch(/Retired on Jan 31, 2020/);
  expect(cardOf("gone")).not.toMatch(/Zero data retention|ZDR/);
});
