import { beforeAll, describe, expect, test } from "vitest";
import { CATALOGUE } from "~/errors/catalogue";
import { describeService } from "~/openapi/describe-service";
import { NOTES } from "~/openapi/notes";
import { operationsOf } from "~/openapi/operations-of";
import type { DescribedOperation, OpenApiDocument, ServedRow } from "~/openapi/shared";
import { LATER, PUBLISHED } from "./published-operations";
import { servedRows } from "./served-rows";

let rows: ServedRow[];
let document: OpenApiDocument;
let described: Map<string, DescribedOperation>;
const withoutSlash = (operation: string) => operation.replace(/(?<=.)\/$/, "");

beforeAll(async () => {
  rows = await servedRows();
  document = describeService(rows, "https://gw.example");
  described = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  );
}, 60_000);

describe("table, description and handlers", () => {
  test("everything that is served is described, and nothing else is", () => {
    const served = rows.flatMap(operationsOf).map(({ method, path }) => `${method} ${path}`);
    expect([...described.keys()].toSorted()).toEqual(served.toSorted());
  });

  test("every row answers something", () => {
    const silent = rows.filter((row) => !/\*$|^dev\//.test(row.path) && operationsOf(row).length === 0);
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  test("every operation has words of its own: a line in app/openapi/notes", () => {
    expect([...described.keys()].filter((operation) => !Object.hasOwn(NOTES, operation))).toEqual([]);
  });

  test("every operation of the published list is there, or is still to come", () => {
    const served = new Set([...described.keys()].map(withoutSlash));
    const missing = PUBLISHED.filter((operation) => !served.has(withoutSlash(operation)) && !LATER.has(operation));
    expect(missing).toEqual([]);
  });

  test("what is there is not on the list of what is still to come", () => {
    const served = new Set([...described.keys()].map(withoutSlash));
    expect([...LATER].filter((operation) => served.has(withoutSlash(operation)))).toEqual([]);
    expect([...LATER].filter((operation) => !PUBLISHED.includes(operation))).toEqual([]);
  });
});

describe("the description", () => {
  test("is OpenAPI 3.1.0 of portal 0.1.0", () => {
    expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "portal", version: "0.1.0" } });
  });

  test("refers only to what it has", () => {
    const text = JSON.stringify(document);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      expect(document.components.schemas, name).toHaveProperty([name as string]);
    expect(text).not.toContain("$defs");
    for (const { security } of described.values())
      for (const scheme of security.flatMap(Object.keys))
        expect(document.components.securitySchemes).toHaveProperty(scheme);
    const tags = new Set(document.tags.map(({ name }) => name));
    for (const [name, { tags: own }] of described)
      expect(
        own.every((tag) => tags.has(tag)),
        name,
      ).toBe(true);
    for (const [name, operation] of described)
      for (const code of operation["x-error-codes"] ?? []) expect(CATALOGUE.has(code), `${name} ${code}`).toBe(true);
  });

  test("names each operation once", () => {
    const ids = [...described.values()].map(({ operationId }) => operationId);
    expect(ids).toEqual([...new Set(ids)]);
  });

  test("declares every parameter of a path, and 422 wherever a path or a query is validated", () => {
    for (const [name, { parameters = [], responses }] of described) {
      const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      expect(
        parameters.filter((parameter) => parameter.in === "path").map((parameter) => parameter.name),
        name,
      ).toEqual(inPath);
      expect(responses, name).toHaveProperty("200");
      const validated = parameters.some((parameter) => parameter.in !== "header");
      const isInference = / \/(?:v[12]\/(?!manage)|health$)/.test(name);
      if (validated && !isInference) expect(responses, name).toHaveProperty("422");
    }
  });

  test("says what a caller has to show", () => {
    const shown = (operation: string) => described.get(operation)?.security.flatMap(Object.keys);
    expect(shown("GET /health")).toEqual([]);
    expect(shown("POST /v1/chat/completions")).toEqual(["bearer"]);
    expect(shown("POST /v1/messages")).toEqual(["apiKeyHeader", "bearer"]);
    expect(shown("POST /v1/manage/keys")).toEqual(["adminKey"]);
    expect(shown("GET /pricing")).toEqual([]);
    const open = [...described].filter(([name, { security }]) => / \/dashboard/.test(name) && security.length === 0);
    expect(open.map(([name]) => name)).toEqual([]);
  });

  test("has the schemas that the handlers read by", () => {
    const createKey = described.get("POST /v1/manage/keys")?.requestBody?.content["application/json"]?.schema;
    expect(createKey).toMatchObject({ type: "object", required: ["name"], additionalProperties: false });
    expect(JSON.stringify(createKey)).toContain('"maximum":1000000');
    const names = described.get("GET /v1/manage/audit-logs")?.parameters?.map(({ name }) => name);
    expect(names).toEqual(["key_id", "model", "supplier", "region", "since", "until", "limit", "cursor"]);
  });
});
