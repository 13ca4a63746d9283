import { describe, expect, test } from "vitest";
import { crossOriginError, isCrossOrigin, provesItself } from "./same-origin";

const OWN = "https://portal.example";

async function problem(method: string, headers: Record<string, string>): Promise<string | undefined> {
  return (await crossOriginError(new Request(`${OWN}/settings`, { method, headers }), async () => OWN))?.code;
}

test("whoever is refused is told the portal's own address", async () => {
  const request = new Request("http://192.168.1.5:3000/auth/login", {
    method: "POST",
    headers: { origin: "http://192.168.1.5:3000" },
  });
  expect((await crossOriginError(request, async () => OWN))?.humanMessage).toContain(`Open the portal at ${OWN},`);
});

describe("a request that changes something", () => {
  test.each([
    [{ "sec-fetch-site": "same-origin" }],
    [{ "sec-fetch-site": "same-origin", origin: "null" }],
    [{ "sec-fetch-site": "same-origin", origin: "https://portal-by-another-name.example" }],
    [{ origin: OWN }],
  ])("passes with %j", async (headers) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) expect(await problem(method, headers)).toBeUndefined();
  });

  test.each([
    [{}],
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site" }],
    [{ "sec-fetch-site": "none" }],
    [{ "sec-fetch-site": "cross-site", origin: OWN }],
    [{ "sec-fetch-site": "" }],
    [{ origin: "null" }],
    [{ origin: "" }],
    [{ origin: "http://portal.example" }],
    [{ origin: "https://portal.example:8443" }],
    [{ origin: "https://portal.example.evil.test" }],
    [{ origin: `${OWN}, https://evil.test` }],
    [{ referer: `${OWN}/settings` }],
    [{ host: "portal.example", "x-forwarded-host": "portal.example" }],
  ])("is rejected with %j", async (headers) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "PURGE"]) {
      expect(await problem(method, headers as Record<string, string>)).toBe("csrf_rejected");
    }
  });
});

test("reading is never rejected", async () => {
  for (const method of ["GET", "HEAD", "OPTIONS"])
    expect(await problem(method, { "sec-fetch-site": "cross-site" })).toBeUndefined();
});

test("callers that prove themselves are left to their own check", () => {
  expect(["/v1", "/v1/models", "/api/billing/processor/webhook"].every(provesItself)).toBe(true);
  expect(["/", "/v1x", "/v10/models", "/setup/x", "/api/billing/checkout"].some(provesItself)).toBe(false);
});

describe("a page that is opened", () => {
  const isElsewhere = (headers: Record<string, string>) =>
    isCrossOrigin(new Request(`${OWN}/logout`, { headers }), async () => OWN);

  test.each([
    [{}],
    [{ "sec-fetch-site": "none" }],
    [{ "sec-fetch-site": "same-origin", referer: "https://evil.test/" }],
    [{ referer: `${OWN}/dashboard` }],
  ])("comes from here or from nowhere with %j", async (headers) => {
    expect(await isElsewhere(headers)).toBe(false);
  });

  test.each([
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site" }],
    [{ "sec-fetch-site": "" }],
    [{ referer: "https://evil.test/" }],
    [{ referer: "https://portal.example.evil.test/" }],
    [{ referer: "http://portal.example/" }],
    [{ referer: "not an address" }],
    [{ origin: "null" }],
  ])("comes from another site with %j", async (headers) => {
    expect(await isElsewhere(headers as Record<string, string>)).toBe(true);
  });
});
