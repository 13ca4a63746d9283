import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectCleanBooks, usageRows } from "../../support/chat-gateway";
import { type Gateway, startGateway } from "../../support/gateway";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway?.close());

const hello = { model: "sandbox-chat", messages: [{ role: "user", content: "Good morning" }] };

type Answer = { status: number; headers: NodeJS.Dict<string | string[]>; trailers: NodeJS.Dict<string>; text: string };

/** Requests a chat completion with node:http, because fetch does not expose trailers. */
const ask = (body: object | Buffer, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${gateway.url}/v1/chat/completions`,
      {
        method: "POST",
        headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json", ...headers },
      },
      (answer) => {
        let text = "";
        answer.on("data", (chunk) => (text += chunk));
        answer.on("end", () =>
          resolve({ status: answer.statusCode!, headers: answer.headers, trailers: answer.trailers, text }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });

test("a stream tells what was booked in its trailers, to those who read them", async () => {
  const { headers, trailers, text } = await ask({ ...hello, stream: true }, { te: "trailers" });
  expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  expect(headers.trailer).toBe("x-gw-input-tokens, x-gw-output-tokens, x-gw-cost-usd");
  const [booked] = await usageRows(gateway, headers["x-request-id"] as string);
  const dollars = `0.${String(booked!.cost).padStart(9, "0")}`;
  expect(trailers).toMatchObject({ "x-gw-cost-usd": dollars });
  expect(Number(trailers["x-gw-output-tokens"])).toBeGreaterThan(0);
  for (const te of ["gzip, trailers;q=0.5", "Trailers"])
    expect((await ask({ ...hello, stream: true }, { te })).trailers["x-gw-cost-usd"]).toBe(dollars);
  for (const other of [{}, { te: "deflate" }, { te: "trailersandmore" }] as Record<string, string>[]) {
    const plain = await ask({ ...hello, stream: true }, other);
    expect(plain.trailers).toEqual({});
    expect(plain.headers.trailer).toBeUndefined();
  }
});

test("the client's own id comes back, with answers, streams and refusals, and gw's stays gw's", async () => {
  for (const name of ["x-client-request-id", "x-request-id"])
    for (const body of [hello, { ...hello, stream: true }, { ...hello, model: "none" }]) {
      const { headers } = await ask(body, { [name]: "order-17/b" });
      expect(headers["x-client-request-id"]).toBe("order-17/b");
      expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    }
  for (const odd of ["", "a b", "x".repeat(129), "é"])
    expect((await ask(hello, { "x-request-id": odd })).headers["x-client-request-id"]).toBeUndefined();
});

test("a compressed body is answered as the same body is", async () => {
  const answer = await ask(gzipSync(JSON.stringify(hello)), { "content-encoding": "gzip" });
  expect(answer.status).toBe(200);
  expect(answer.text).toContain("Good morning");
});

test("keeps the books in order", () => expectCleanBooks(gateway));
