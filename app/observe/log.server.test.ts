import { Writable } from "node:stream";
import pino from "pino";
import { expect, test } from "vitest";
import { logOptions, withoutSecrets } from "./log.server";

const KEY = `gw_${"aB3".repeat(16)}x`;

function lineOf(write: (log: pino.Logger) => void): string {
  let line = "";
  const sink = new Writable({
    write(chunk, _encoding, done) {
      line += chunk;
      done();
    },
  });
  write(pino(logOptions, sink));
  return line;
}

test("a key is blanked wherever it turns up", () => {
  const line = lineOf((log) =>
    log.info({ url: `/x?key=${KEY}`, err: new Error(`no ${KEY}`), deep: [{ a: KEY }] }, `says ${KEY}`),
  );
  expect(line).not.toContain(KEY);
  expect(line.split("[hidden]").length).toBeGreaterThan(4);
});

test("credentials of headers are blanked", () => {
  const headers = { authorization: "Bearer sk-other", cookie: "gw_session=1", "x-api-key": "sk-third", accept: "*/*" };
  const line = lineOf((log) => log.info({ headers, request: { headers } }, "Bearer sk-fourth"));
  for (const secret of ["sk-other", "gw_session=1", "sk-third", "sk-fourth"]) expect(line).not.toContain(secret);
  expect(line).toContain('"accept":"*/*"');
});

test("a line is JSON with the level as a word and the time in ISO format", () => {
  const line = JSON.parse(lineOf((log) => log.warn({ callId: "c" }, "slow")));
  expect(line).toMatchObject({ level: "warn", callId: "c", msg: "slow" });
  expect(new Date(line.time).toISOString()).toBe(line.time);
});

test.each(["Basic YWRhOnBhc3N3b3Jk", "Bearer sk-other"])("%s is hidden in whatever text it stands", (secret) => {
  expect(withoutSecrets(`a request with ${secret} failed`)).toBe("a request with [hidden] failed");
});

test("what holds no secret stays as it is", () => {
  expect(withoutSecrets('{"msg":"gw_session is a cookie; Basic facts"}')).toBe(
    '{"msg":"gw_session is a cookie; Basic facts"}',
  );
});

test("the row that the database refused is not repeated, whichever library tells of it", () => {
  const detail = "Failing row contains (1, ann@example.com).";
  const refused = Object.assign(new Error("Raw query failed"), {
    code: "P2010",
    meta: { driverAdapterError: { cause: { code: "23514", detail } }, at: new Date(0) },
  });
  const line = lineOf((log) => log.error({ err: refused }, "not saved"));
  expect(line).not.toContain("ann@example.com");
  expect(JSON.parse(line).err).toMatchObject({
    type: "Error",
    message: "Raw query failed",
    code: "P2010",
    meta: { driverAdapterError: { cause: { code: "23514", detail: "[hidden]" } }, at: "1970-01-01T00:00:00.000Z" },
  });
  expect(lineOf((log) => log.error(Object.assign(new Error("x"), { detail })))).not.toContain("ann@example.com");
});
