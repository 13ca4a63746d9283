import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { bindConnection } from "~/http/server/connection";
import { type ClientEnd, openClientEnd } from "./client-sink";

/** Returns the bytes that a client receives from `answer`, and whether the response was complete. */
async function received(answer: (client: ClientEnd) => void): Promise<{ text: string; whole: boolean }> {
  const server = createServer((incoming, outgoing) => {
    const request = new Request("http://localhost/");
    bindConnection(request, { incoming, outgoing });
    answer(openClientEnd(request, { "content-type": "text/event-stream" }, () => undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await new Promise((resolve, reject) => {
      get({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", agent: false }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (piece) => (text += piece));
        response.on("error", () => undefined);
        response.on("close", () => resolve({ text, whole: response.complete }));
      }).on("error", reject);
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const PIECES = ["one ", "two ", "three "];
const write = ({ sink }: ClientEnd) => {
  for (const piece of PIECES) sink.write(Buffer.from(piece));
};

test("a stream that is given up delivers what still waits for company, and is not told to be whole", async () => {
  const given = await received((client) => {
    write(client);
    client.destroy();
  });
  expect(given).toEqual({ text: PIECES.join(""), whole: false });
});

test("the last piece goes behind what still waits", async () => {
  for (const last of [null, "last"]) {
    const given = await received((client) => {
      write(client);
      client.end(last === null ? null : Buffer.from(last));
    });
    expect(given).toEqual({ text: PIECES.join("") + (last ?? ""), whole: true });
  }
});
