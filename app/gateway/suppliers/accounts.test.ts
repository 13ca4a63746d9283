import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { type Route, SUPPLIER_KINDS } from "~/domain/catalogue/shared";
import { asGuarded } from "../__fixtures__/guarded";
import { adapterOf } from "./registry";
import { closePools } from "./toolkit/connection/pools";

const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? "");
  response.writeHead(401, { "content-type": "application/json" }).end('{"error":"invalid_client"}');
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(async () => {
  await closePools();
  server.close();
});

test.each(SUPPLIER_KINDS.filter((kind) => kind !== "sandbox"))(
  "what an account signs in with never reaches a supplier of the kind %s",
  async (kind) => {
    asked.length = 0;
    const account = {
      type: "client_credentials",
      token_url: `${origin}/token`,
      client_id: kind,
      client_secret: "hush",
    };
    const credential = { name: "main", apiKey: JSON.stringify(account) };
    const times = { timeoutMs: 2_000, idleTimeoutMs: 2_000 };
    const route = { upstreamModel: "m", supplier: { kind, baseUrl: `${origin}/v1`, region: "eu", ...times } } as Route;
    const adapter = adapterOf(route.supplier)!;
    const dialect = adapter.speaks(kind === "native_agent" ? "native" : "chat", route)!;
    const more = { callId: "c", dialect, stream: false, body: asGuarded("{}"), headers: {} };
    await expect(adapter.send({ route, credential, ...more }).reply).rejects.toMatchObject({
      kind: "credential",
      executed: "no",
    });
    expect(asked.filter((path) => path !== "/token")).toEqual([]);
  },
);
