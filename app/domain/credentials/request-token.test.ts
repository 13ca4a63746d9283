import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { requestToken } from "./request-token";

let server: Server;
let tokenUrl: string;
let answer: { status: number; body: string; headers?: Record<string, string> };
let asked: { method?: string; type?: string; form: string }[] = [];
beforeAll(async () => {
  server = createServer((request: IncomingMessage, response) => {
    let form = "";
    request.on("data", (chunk) => (form += chunk));
    request.on("end", () => {
      asked.push({ method: request.method, type: request.headers["content-type"], form });
      response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers }).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/oauth/token?tenant=1`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  asked = [];
});

const renew = () => requestToken({ tokenUrl, clientId: "app 1", refreshToken: "r&1=" });
const says = (status: number, body: unknown, headers?: Record<string, string>) => {
  answer = { status, body: typeof body === "string" ? body : JSON.stringify(body), headers };
};

describe("a renewal", () => {
  test("is one form, and gives what the endpoint gave", async () => {
    says(200, { access_token: "a-2", refresh_token: "r-2", expires_in: 3600, scope: "x" });
    expect(await renew()).toEqual({ accessToken: "a-2", refreshToken: "r-2", expiresInSeconds: 3_600 });
    expect(asked).toEqual([
      {
        method: "POST",
        type: "application/x-www-form-urlencoded",
        form: "grant_type=refresh_token&refresh_token=r%261%3D&client_id=app+1",
      },
    ]);
  });

  test("may leave the refresh token as it is, and say nothing of its life", async () => {
    says(200, { access_token: "a-2", expires_in: "120" });
    expect(await renew()).toEqual({ accessToken: "a-2", refreshToken: null, expiresInSeconds: 120 });
    says(200, { access_token: "a-2", refresh_token: "", expires_in: -1 });
    expect(await renew()).toEqual({ accessToken: "a-2", refreshToken: null, expiresInSeconds: null });
  });

  test.each([
    ["refused for good", 400, { error: "invalid_grant", error_description: "r&1= was revoked" }, "invalid_grant", true],
    [
      "refused in other words",
      401,
      { error: { code: "refresh_token_reused", message: "…" } },
      "refresh_token_reused",
      true,
    ],
    ["refused for gw's own fault", 401, { error: "invalid_client" }, "invalid_client", false],
    ["too much", 429, { error: { code: "Rate limit!" } }, "http_429", false],
    ["an error of the endpoint", 503, { error: "invalid_grant" }, "invalid_grant", false],
    ["not JSON", 200, "<html>", "invalid_response", false],
    ["a token that cannot be sent", 200, { access_token: "a\nb" }, "invalid_response", false],
    ["endless", 200, `{"a":"${"y".repeat(80_000)}"}`, "invalid_response", false],
  ])("that is %s says so, and nothing secret", async (_name, status, body, errorKind, isFinal) => {
    says(status, body);
    const problem = await renew().catch((caught: unknown) => caught);
    expect(problem).toMatchObject({ name: "RenewalFailed", errorKind, isFinal });
    expect(String(problem)).not.toContain("r&1=");
  });

  test("does not follow where the endpoint points", async () => {
    says(302, "", { location: tokenUrl });
    await expect(renew()).rejects.toMatchObject({ errorKind: "http_302", isFinal: false });
    expect(asked).toHaveLength(1);
  });

  test("that reaches nobody is told as that", async () => {
    await expect(
      requestToken({ tokenUrl: "http://127.0.0.1:9/token", clientId: "c", refreshToken: "r" }),
    ).rejects.toMatchObject({
      errorKind: "network",
      isFinal: false,
    });
  });
});
