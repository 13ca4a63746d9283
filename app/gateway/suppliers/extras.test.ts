import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type Route, SUPPLIER_KINDS, type SupplierKind } from "~/domain/catalogue/shared";
import { isSignedByAwsKey } from "../../../tests/support/aws-signature";
import { asGuarded } from "../__fixtures__/guarded";
import type { DialectName, Exchange, Outgoing } from "../canonical/exchange";
import { SupplierFailure } from "../canonical/supplier-failure";
import { adapterOf } from "./registry";
import { closePools } from "./toolkit/connection/pools";

type Asked = { url: URL; headers: IncomingHttpHeaders; form: URLSearchParams; isSigned: boolean };

const ACCESS_KEY = "AKID:secret-of-aws";
const SECRET = "secret-of-the-proxy-0123456789";
const TENANT = "a tenant & more = 16+";
let asked: Asked[] = [];
let tokens = 0;
/** Tokens up to this number are refused. */
let revoked = 0;

/** Echoes secrets that must not reach a client; its token endpoint accepts one client. */
const server = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  const url = new URL(request.url ?? "", "http://stand-in");
  const isSigned = isSignedByAwsKey(request, text, { accessKey: ACCESS_KEY, region: "eu-west-1", service: "bedrock" });
  asked.push({ url, headers: request.headers, form: new URLSearchParams(text), isSigned });
  const say = (status: number, body: object) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (url.pathname === "/token") {
    tokens += 1;
    return say(200, { access_token: `token-${tokens}`, expires_in: 3_600, token_type: "Bearer" });
  }
  const token = Number(/^Bearer token-(\d+)$/.exec(request.headers.authorization ?? "")?.[1] ?? 0);
  if (token > 0 && token <= revoked) return say(401, { message: "the token is not valid any more" });
  return say(400, { message: `no good: ${request.headers["x-proxy-secret"]}, ${request.url}` });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  await closePools();
  server.close();
});

const KINDS = SUPPLIER_KINDS.filter((kind) => kind !== "sandbox");
const PLAIN_KEY: Partial<Record<SupplierKind, string>> = { bedrock: ACCESS_KEY };

function routeOf(kind: SupplierKind): Route {
  const extras = {
    headers: { "x-proxy-secret": SECRET, "x-route": "eu" },
    query: { "api-version": "2026-01-01", tenant: TENANT },
    keyHeader: null,
  };
  const times = { timeoutMs: 2_000, idleTimeoutMs: 2_000 };
  const supplier = { kind, baseUrl: `${origin}/base/v1`, region: "eu-west-1", extras, ...times };
  return { upstreamModel: "m", supplier } as unknown as Route;
}

function outgoingOf(kind: SupplierKind, apiKey: string, { stream }: { stream: boolean }): Outgoing {
  const route = routeOf(kind);
  const client: DialectName = kind === "native_agent" ? "native" : "chat";
  const dialect = adapterOf(route.supplier)!.speaks(client, route)!;
  const headers = { "x-proxy-secret": "what a client says" };
  return { callId: "c", route, credential: { name: "main", apiKey }, dialect, stream, body: asGuarded("{}"), headers };
}

async function failureOf({ reply }: Exchange): Promise<SupplierFailure> {
  const problem = await reply.then(
    () => new Error("it did not fail"),
    (failure: unknown) => failure,
  );
  expect(problem).toBeInstanceOf(SupplierFailure);
  return problem as SupplierFailure;
}

function expectExtras({ url, headers }: Asked): void {
  expect(url.searchParams.getAll("api-version")).toEqual(["2026-01-01"]);
  expect(url.searchParams.getAll("tenant")).toEqual([TENANT]);
  expect(headers).toMatchObject({ "x-proxy-secret": SECRET, "x-route": "eu" });
}

describe.each(KINDS)("a supplier of the kind %s", (kind) => {
  const adapter = adapterOf(routeOf(kind).supplier)!;
  const key = PLAIN_KEY[kind] ?? "sk-1";

  test("gets its headers and query parameters with every request, whatever a client says", async () => {
    for (const stream of [false, true]) {
      const failure = await failureOf(adapter.send(outgoingOf(kind, key, { stream })));
      expect(failure.status).toBe(400);
      // The error does not reveal the secrets.
      expect(failure.message).toContain("no good");
      expect(failure.message).not.toContain(SECRET);
    }
    if (adapter.countTokens) await failureOf(adapter.countTokens(outgoingOf(kind, key, { stream: false })));
    if (adapter.listModels)
      await expect(adapter.listModels(routeOf(kind).supplier, { name: "main", apiKey: key })).rejects.toThrow();
    expect(asked.length).toBe(2 + Number(!!adapter.countTokens) + Number(!!adapter.listModels));
    for (const each of asked) {
      expectExtras(each);
      expect(each.url.pathname.startsWith("/base/v1/")).toBe(true);
    }
  });

  test("is signed in to with OAuth client credentials, whose token is asked for again when it is refused", async () => {
    const account = {
      ...{ type: "client_credentials", token_url: `${origin}/token`, client_id: `gw-${kind}`, client_secret: "hush" },
      scope: "models",
    };
    revoked = 0;
    const send = () => failureOf(adapter.send(outgoingOf(kind, JSON.stringify(account), { stream: false })));
    expect((await send()).status).toBe(400);
    expect((await send()).status).toBe(400);
    const [first, ...calls] = asked;
    // Both calls use one token; the credential is sent only to the address of the token endpoint.
    expect([first!.url.pathname, calls.map(({ url }) => url.pathname === "/token")]).toEqual([
      "/token",
      [false, false],
    ]);
    expect(Object.fromEntries(first!.form)).toEqual({
      grant_type: "client_credentials",
      client_id: `gw-${kind}`,
      client_secret: "hush",
      scope: "models",
    });
    for (const call of calls) {
      expectExtras(call);
      expect(call.headers.authorization).toBe(`Bearer token-${tokens}`);
      for (const other of ["x-api-key", "api-key", "x-goog-api-key", "x-amz-date"])
        expect(call.headers[other], other).toBeUndefined();
    }
    revoked = tokens;
    asked = [];
    expect((await send()).status).toBe(400);
    expect(asked.map(({ headers, url }) => headers.authorization ?? url.pathname)).toEqual([
      `Bearer token-${revoked}`,
      "/token",
      `Bearer token-${revoked + 1}`,
    ]);
  });
});

test("the signature of an access key holds with the query parameters, by an independent check", async () => {
  const { send } = adapterOf(routeOf("bedrock").supplier)!;
  await failureOf(send(outgoingOf("bedrock", ACCESS_KEY, { stream: false })));
  await failureOf(send(outgoingOf("bedrock", "AKID:another", { stream: false })));
  expect(asked.map(({ url, isSigned }) => [url.searchParams.get("tenant"), isSigned])).toEqual([
    [TENANT, true],
    [TENANT, false],
  ]);
});
