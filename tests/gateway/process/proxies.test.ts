import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { connect, constants } from "node:http2";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../support/gateway";
import { type Portal, startPortal } from "../../support/portal";
import { isInstalled, PROXIES, startProxy } from "../../support/proxies/proxy";

const MEGABYTE = 1_048_576;
const NAMES = Object.keys(PROXIES);
const missing = NAMES.filter((name) => !isInstalled(name));

/** Starts a supplier whose stream pauses until `goOn`. */
async function startHaltingSupplier() {
  let goOn = () => {};
  const event = (content: string) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta: { content } }] })}\n\n`;
  const server = createServer(async (incoming, response: ServerResponse) => {
    for await (const _ of incoming);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(event("first"));
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    response.end(
      `${event("last")}data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } })}\n\ndata: [DONE]\n\n`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    goOn: () => goOn(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Sent = {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
  expects?: boolean;
  from?: string;
};
type Answer = { status: number; headers: IncomingHttpHeaders; text: string };

/** Sends a request with HTTP/1.1 over TLS; `from`: the client's address. */
function send(
  port: number,
  { method = "GET", path, headers = {}, body, expects = false, from }: Sent,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = {
      ...headers,
      ...(expects && { expect: "100-continue" }),
      ...(body && { "content-length": String(body.length) }),
    };
    const options = {
      host: "127.0.0.1",
      port,
      path,
      method,
      headers: { host: `localhost:${port}`, ...all },
      servername: "localhost",
      rejectUnauthorized: false,
    };
    const asked = request({ ...options, ...(from && { localAddress: from }) }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    asked.once("error", reject);
    if (expects) asked.once("continue", () => asked.end(body));
    else asked.end(body);
  });
}

const multipart = (bytes: number) => {
  const head = `--b\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nbatch\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a.jsonl"\r\ncontent-type: application/jsonl\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, "\n"), Buffer.from("\r\n--b--\r\n")]);
};

if (missing.length > 0) test.skip(`not tried, because they are not installed: ${missing.join(", ")}`, () => undefined);

describe.each(NAMES.filter(isInstalled))("behind %s, configured as the page shows it,", (name) => {
  let portal: Portal;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let supplier: Awaited<ReturnType<typeof startHaltingSupplier>>;
  let port: number;

  beforeAll(async () => {
    supplier = await startHaltingSupplier();
    port = await freePort();
    const gatewayPort = await freePort();
    portal = await startPortal({
      port: gatewayPort,
      env: { BASE_URL: `https://localhost:${port}`, TRUST_PROXY: "1" },
      config: {
        suppliers: [{ name: "halting", kind: "chat", base_url: supplier.url }],
        models: [
          {
            ...{ id: "halting", context_tokens: 8_000, max_output_tokens: 500 },
            routes: [{ supplier: "halting", price: { input_per_mtok: 1, output_per_mtok: 1 } }],
          },
        ],
      },
    });
    proxy = await startProxy(name, { port, gatewayPort });
    // Some proxies check the health of gw first.
    while ((await send(port, { path: "/health" })).status !== 200)
      await new Promise((resolve) => setTimeout(resolve, 50));
  }, 180_000);
  afterAll(async () => {
    await proxy?.close();
    await portal?.close();
    supplier?.close();
  });

  test("a stream arrives as it comes, by HTTP/2", async () => {
    const session = connect(`https://localhost:${port}`, { rejectUnauthorized: false });
    try {
      const stream = session.request({
        [constants.HTTP2_HEADER_METHOD]: "POST",
        [constants.HTTP2_HEADER_PATH]: "/v1/chat/completions",
        authorization: `Bearer ${portal.gateway.key}`,
        "content-type": "application/json",
      });
      stream.end(JSON.stringify({ model: "halting", stream: true, messages: [{ role: "user", content: "Hello" }] }));
      let text = "";
      for await (const chunk of stream) {
        text += chunk;
        // The supplier sends the rest only after the client has received the beginning.
        if (text.includes("first")) supplier.goOn();
      }
      expect(text).toContain("last");
      expect(session.alpnProtocol).toBe("h2");
    } finally {
      session.close();
    }
  }, 60_000);

  test.each([
    ["a large body", 30 * MEGABYTE, false],
    ["a body that waits for 100-continue", MEGABYTE, true],
  ])(
    "%s arrives whole",
    async (_, bytes, expects) => {
      const answer = await send(port, {
        method: "POST",
        path: "/v1/files",
        headers: { authorization: `Bearer ${portal.gateway.key}`, "content-type": "multipart/form-data; boundary=b" },
        body: multipart(bytes),
        expects,
      });
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([200, { bytes }]);
    },
    120_000,
  );

  test("the client's own address arrives, whatever it says itself", async () => {
    const { person } = await portal.signInAs("member");
    await portal.sql(
      "UPDATE app_user SET password_hash = (SELECT password_hash FROM app_user WHERE email = 'owner@example.com') WHERE id = $1",
      [person.userId],
    );
    const lies = { "x-forwarded-for": "6.6.6.6", forwarded: "for=6.6.6.6", "x-real-ip": "6.6.6.6" };
    const answer = await send(port, {
      method: "POST",
      path: "/auth/login",
      headers: {
        ...lies,
        origin: `https://localhost:${port}`,
        accept: "application/json",
        "content-type": "application/json",
      },
      body: Buffer.from(JSON.stringify({ email: person.email, password: "several words and a half" })),
      from: "127.0.0.2",
    });
    expect(answer.status).toBe(200);
    const [row] = await portal.sql("SELECT address FROM session WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1", [
      person.userId,
    ]);
    expect(row.address).toBe("127.0.0.2");
  });

  test("its errors are gw's own, as they were", async () => {
    const answer = await send(port, { method: "POST", path: "/v1/chat/completions", body: Buffer.from("{}") });
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([401, { error: { code: expect.any(String) } }]);
  });

  test("connections to gw end at the proxy first", async () => {
    const direct = await fetch(`${portal.url}/health`);
    // Apache, Caddy and nginx close idle connections after 60 seconds, HAProxy after 30.
    expect(Number(/timeout=(\d+)/.exec(direct.headers.get("keep-alive") ?? "")?.[1])).toBeGreaterThan(60);
  });
});
