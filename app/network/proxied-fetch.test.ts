import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { OpenIdClient } from "~/access/sign-in/openid-client.server";
import { readConfig, setConfig } from "~/config.server";
import { processor } from "~/domain/billing/processor";
import { settingsOf } from "../../tests/support/identity-twins/settings";
import { boundedFetch } from "../http/bounded-fetch";

const STRIPE = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" };
const BOUNDS = { timeoutMs: 5_000, maxBytes: 10_000 };
const connected: string[] = [];
const server = createServer((_request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ object: "balance", issuer: "http://id.example", available: [], pending: [] }));
});
const proxy = createServer().on("connect", (request, client: Socket) => {
  connected.push(request.url ?? "");
  const onward = connect((server.address() as AddressInfo).port, "127.0.0.1", () => {
    client.write("HTTP/1.1 200 OK\r\n\r\n");
    onward.pipe(client).pipe(onward);
  });
  for (const socket of [client, onward]) socket.on("error", () => undefined);
});

beforeAll(async () => {
  for (const each of [server, proxy]) await new Promise<void>((resolve) => each.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  for (const each of [server, proxy]) each.closeAllConnections();
  for (const each of [server, proxy]) each.close();
  setConfig(readConfig({}));
});
beforeEach(() => {
  connected.length = 0;
});

const through = (more: Record<string, string> = {}) =>
  setConfig(readConfig({ HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, ...more }));

describe("with a proxy of the operator's", () => {
  test("addresses that the operator has named are reached through it", async () => {
    through();
    const answer = await boundedFetch("http://far.example/x", { method: "POST", body: "text" }, BOUNDS);
    expect([answer.status, await answer.json()]).toMatchObject([200, { object: "balance" }]);
    expect(connected).toEqual(["far.example:80"]);
  });

  test("an identity provider is, too", async () => {
    through();
    const client = new OpenIdClient(settingsOf("http://id.example"));
    // The host is reached through the proxy, but is no provider.
    await expect(client.leave("http://gw.example/", { anew: false })).rejects.toThrow("has no authorization_endpoint");
    expect(connected).toEqual(["id.example:80"]);
  });

  test("the payment processor is, too", async () => {
    through({ ...STRIPE, STRIPE_API_BASE: "http://localhost:8009", NO_PROXY: "elsewhere.example" });
    expect(await processor().balance.retrieve()).toMatchObject({ object: "balance" });
    expect(connected).toEqual(["localhost:8009"]);
  });

  test("hosts of NO_PROXY are reached as they are", async () => {
    through({ NO_PROXY: "127.0.0.1" });
    const { port } = server.address() as AddressInfo;
    expect((await boundedFetch(`http://127.0.0.1:${port}/`, {}, BOUNDS)).status).toBe(200);
    expect(connected).toEqual([]);
  });
});

test("without a proxy everything is reached as it is", async () => {
  setConfig(readConfig({}));
  const { port } = server.address() as AddressInfo;
  expect((await boundedFetch(`http://127.0.0.1:${port}/`, {}, BOUNDS)).status).toBe(200);
  expect(connected).toEqual([]);
});
