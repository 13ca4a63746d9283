import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { startGateway } from "../../support/gateway";
import { startStandIn } from "../../support/stand-in-supplier";

test("with HTTP_PROXY a call reaches its supplier through the proxy", async () => {
  const standIn = await startStandIn();
  const { port } = new URL(standIn.url);
  const seen: string[] = [];
  const proxy = createServer();
  proxy.on("connect", (request, client: Socket) => {
    seen.push(request.url ?? "");
    const onward = connect(Number(port), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(client).pipe(onward);
    });
    for (const socket of [client, onward]) socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const gateway = await startGateway({
    env: { HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, NO_PROXY: "localhost" },
    config: {
      suppliers: [{ name: "far", kind: "chat", base_url: `http://supplier.example:${port}/v1` }],
      models: [
        {
          ...{ id: "far", context_tokens: 8_000, max_output_tokens: 500 },
          routes: [{ supplier: "far", price: { input_per_mtok: 1, output_per_mtok: 1 } }],
        },
      ],
    },
  });
  try {
    for (const stream of [false, true]) {
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "far", stream, messages: [{ role: "user", content: "Hello" }] }),
      });
      expect(await response.text()).toContain("w0");
    }
    expect(new Set(seen)).toEqual(new Set([`supplier.example:${port}`]));
  } finally {
    await gateway.close();
    await standIn.close();
    proxy.close();
  }
});
