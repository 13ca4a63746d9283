import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { Pool } from "undici";
import { afterEach, expect, test } from "vitest";
import type { SupplierFailure } from "../../../canonical/supplier-failure";
import { post } from "../post";
import { connector } from "./connect";

let server: Server | undefined;
let pool: Pool | undefined;
afterEach(async () => {
  await pool?.destroy();
  server?.close();
});

const EVENT = "data: 1\n\n";
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads a streamed answer with a pause at its first bytes, while the supplier closes the connection. */
async function readSlowly(headers: string, hangUp: (socket: Socket) => void) {
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", async () => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n${headers}\r\n`);
      await pause(30);
      socket.write(EVENT);
      await pause(60);
      hangUp(socket);
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { connect: connector({}) });
  const times = { timeoutMs: 2_000, idleTimeoutMs: 2_000 };
  const exchange = post({ pool, path: "/x", headers: {}, body: "{}", stream: true, ...times });
  const reply = await exchange.reply;
  if (reply.kind !== "stream") throw new Error("not a stream");
  const { source } = reply;
  let read = "";
  return new Promise<{ read: string; outcome: "end" | SupplierFailure }>((resolve) => {
    source.start({
      data: (chunk) => {
        read += chunk.toString();
        source.pause();
        setTimeout(() => source.resume(), 200);
      },
      end: () => resolve({ read, outcome: "end" }),
      fail: (outcome) => resolve({ read, outcome }),
    });
  });
}

test.each([
  ["whose end is the connection's", "connection: close\r\n"],
  [
    "with a length, on a connection that is closed behind it",
    `connection: close\r\ncontent-length: ${EVENT.length}\r\n`,
  ],
  ["with a length, on a connection that was to stay open", `content-length: ${EVENT.length}\r\n`],
])("an answer %s is whole, though its reader is slow", async (_name, headers) => {
  expect(await readSlowly(headers, (socket) => socket.end())).toEqual({ read: EVENT, outcome: "end" });
});

test("a supplier that cannot be reached is a failure as before", async () => {
  pool = new Pool("http://127.0.0.1:9", { connect: connector({}) });
  const times = { timeoutMs: 500, idleTimeoutMs: 500 };
  const exchange = post({ pool, path: "/x", headers: {}, body: "{}", stream: false, ...times });
  await expect(exchange.reply).rejects.toMatchObject({ kind: "connect", executed: "no" });
});

test.each([
  ["with an end", (socket: Socket) => socket.end(), `connection: close\r\ncontent-length: ${EVENT.length + 9}\r\n`],
  ["with a reset", (socket: Socket) => socket.resetAndDestroy(), "connection: close\r\n"],
])(
  "a supplier that hangs up in the middle %s, while its reader is slow, is a failure and no more",
  async (...given) => {
    const [, hangUp, headers] = given;
    expect(await readSlowly(headers, hangUp)).toMatchObject({ read: EVENT, outcome: { executed: "yes" } });
  },
);
