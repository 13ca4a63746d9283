import { spawn } from "node:child_process";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { describeService } from "~/openapi/describe-service";
import type { OpenApiDocument } from "~/openapi/shared";
import { judgeBy } from "../support/described/judge-answer";
import { endRecordings, type RecordedAnswer, recordingEnvironment, takeAnswers } from "../support/described/recording";

afterAll(endRecordings);

const json = (schema: object) => ({ description: "", content: { "application/json": { schema } } });
const operation = (responses: object) => ({ operationId: "x", summary: "", tags: [], security: [], responses });
const Thing = z.toJSONSchema(z.object({ id: z.int() }));
const document = {
  ...describeService([], "https://gw.example"),
  paths: {
    "/things/{id}": { get: operation({ "200": json({ $ref: "#/components/schemas/Thing" }), "4XX": json({}) }) },
    "/things/new": { get: operation({ "200": { description: "", content: { "text/html": { schema: {} } } } }) },
    "/away": { get: operation({ "303": { description: "" } }) },
  },
  components: { schemas: { Thing }, securitySchemes: {} },
} as unknown as OpenApiDocument;
const judge = judgeBy(document);

const answer = (url: string, body: unknown, more: Partial<RecordedAnswer> = {}): RecordedAnswer => ({
  method: "GET",
  url,
  status: 200,
  type: "application/json",
  encoding: "",
  isWhole: true,
  body: body === undefined ? null : Buffer.from(JSON.stringify(body)).toString("base64"),
  ...more,
});

test.each([
  ["as described", answer("/things/7?x=1", { id: 7 })],
  ["compressed", answer("/things/7", 0, { encoding: "gzip", body: gzipSync('{"id":7}').toString("base64") })],
  ["too long to be looked at", answer("/things/7", undefined, { isWhole: false })],
  ["only the head of it", answer("/things/7", undefined, { method: "HEAD" })],
  ["a refusal, by hundreds", answer("/things/7", { any: "thing" }, { status: 404 })],
  ["a page", answer("/things/new", undefined, { type: "text/html; charset=utf-8" })],
  ["nothing but a place to go to", answer("/away", undefined, { status: 303, type: "" })],
  ["a refusal where nothing is", answer("/nowhere", {}, { status: 404 })],
  ["a built file", answer("/assets/root-abc.js", undefined, { type: "text/javascript" })],
])("an answer is fine: %s", (_, fine) => {
  expect(judge(fine)).toBeNull();
});

test.each([
  ["a field too many", answer("/things/7", { id: 7, more: 1 }), /additional properties/],
  ["a field of another type", answer("/things/7", { id: "7" }), /must be integer/],
  ["no body", answer("/things/7", undefined), /must be object/],
  ["another status", answer("/things/7", { id: 7 }, { status: 201 }), /status is not described/],
  ["another status of a server in trouble", answer("/things/7", {}, { status: 500 }), /status is not described/],
  ["another content type", answer("/things/new", {}), /described are text\/html/],
  ["contents where none are described", answer("/away", {}, { status: 303 }), /described are no contents/],
  ["an operation of its own", answer("/nowhere", {}), /no such operation/],
  ["another method", answer("/things/7", {}, { method: "PUT" }), /no such operation/],
])("an answer is not as described: %s", (_, wrong, reason) => {
  expect(judge(wrong)).toMatch(reason);
});

const SERVER = `
const { createServer } = require("node:http");
const server = createServer((request, response) => {
  const ways = {
    "/whole": () => response.writeHead(200, { "Content-Type": "application/json" }).end('{"a":1}'),
    "/pairs": () => response.writeHead(201, ["content-type", "application/json; charset=utf-8"]).end(Buffer.from("[2]")),
    "/parts": () => { response.setHeader("content-type", "application/json"); response.write("[1,"); response.write("2]"); response.end(); },
    "/page": () => response.writeHead(404, "No", { "content-type": "text/html" }).end("<p>"),
  };
  ways[request.url]();
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));`;

test("what a server answers is written down before its client has it, however it is sent", async () => {
  const env = { PATH: process.env.PATH, ...recordingEnvironment() };
  const child = spawn(process.execPath, ["-e", SERVER], { env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const port = await new Promise<number>((resolve) => child.stdout.once("data", (text) => resolve(Number(text))));
    const got = async (path: string) => {
      await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
      const [{ method, url, status, type, body }] = takeAnswers() as [RecordedAnswer];
      return { method, url, status, type, body: body && Buffer.from(body, "base64").toString() };
    };
    const asked = { method: "GET", status: 200, type: "application/json" };
    expect(await got("/whole")).toEqual({ ...asked, url: "/whole", body: '{"a":1}' });
    const pairs = { ...asked, url: "/pairs", status: 201, type: "application/json; charset=utf-8", body: "[2]" };
    expect(await got("/pairs")).toEqual(pairs);
    expect(await got("/parts")).toEqual({ ...asked, url: "/parts", body: "[1,2]" });
    expect(await got("/page")).toEqual({ ...asked, url: "/page", status: 404, type: "text/html", body: null });
  } finally {
    child.kill("SIGKILL");
  }
});
