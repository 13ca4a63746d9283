import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, startGateway } from "../support/gateway";
import { beginStream, END, type SlowSupplier, Stethoscope, says, startSlowSupplier } from "../support/slow-supplier";
import { runAgent } from "./agent";
import { codexOnResponses } from "./known-agents";

let supplier: SlowSupplier;
let gateway: Gateway;
let listener: Server;
const heart = new Stethoscope();

beforeAll(async () => {
  supplier = await startSlowSupplier();
  gateway = await startGateway({ config: supplier.config });
  // A proxy between the agent and gw, which detects the heartbeats that the agent skips.
  listener = createServer(async (request, response) => {
    const { method = "GET", url } = request;
    const { host: _own, connection: _hop, ...headers } = request.headers;
    const body = method === "GET" ? null : ((await buffer(request)) as BodyInit);
    const answer = await fetch(`${gateway.url}${url}`, { method, headers: headers as Record<string, string>, body });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
    // Both sides may disconnect.
    await pipeline(Readable.fromWeb(heart.listenTo(answer.body!) as never), response).catch(() => undefined);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  listener?.closeAllConnections();
  listener?.close();
  await gateway?.close();
  supplier?.close();
});

test.skipIf(codexOnResponses.command === null)(
  "Codex waits for a supplier for longer than it waits for an event, before the first one and in the middle",
  async () => {
    const { word, asked } = supplier.expect(async (response) => {
      await heart.heartbeat();
      await heart.heartbeat();
      beginStream(response).write(says("Good "));
      await heart.heartbeat();
      await heart.heartbeat();
      response.end(says("morning to you") + END);
    });
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    const impatient = {
      ...codexOnResponses,
      files: (place: Parameters<NonNullable<typeof codexOnResponses.files>>[0]) => ({
        ".codex/config.toml": `${codexOnResponses.files!(place)[".codex/config.toml"]}stream_idle_timeout_ms = 20000\nstream_max_retries = 0\n`,
      }),
    };
    const { output, code } = await runAgent(
      impatient,
      { url, key: gateway.key, model: "m" },
      `Say good morning. ${word}`,
    );
    expect(output).toContain("Good morning to you");
    expect(asked()).toBe(1);
    expect(code).toBe(0);
  },
);
