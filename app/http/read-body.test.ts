import { createServer } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { bindConnection } from "./connection";
import { readMultipart } from "./multipart";
import { readBody } from "./read-body";

const FORM = { "content-type": "multipart/form-data; boundary=b" };
const UPLOAD = { fileField: "file", fileBytes: 1_000, folder: tmpdir() };

test.each([
  ["whole body", "hello", (request: Request) => readBody(request, 1_000, 60_000)],
  ["half body", "he", (request: Request) => readBody(request, 1_000, 60_000)],
  ["whole form", "--b--", (request: Request) => readMultipart(request, UPLOAD)],
])("a client that left while its key was looked up, with a %s sent, keeps nobody waiting", async (_, sent, reads) => {
  const read = new Promise<unknown>((resolve) => {
    const server = createServer((incoming, outgoing) => {
      const request = new Request("http://gw/", { method: "POST", headers: FORM });
      bindConnection(request, { incoming, outgoing });
      client.destroy();
      outgoing.once("close", () =>
        setTimeout(() => {
          const late = new Promise<string>((tell) => setTimeout(() => tell("still waiting"), 500));
          const ended = reads(request).catch((problem) => problem.code);
          void Promise.race([ended, late]).then(resolve);
          server.close();
        }, 20),
      );
    });
    const client = new Socket();
    server.listen(0, "127.0.0.1", () => client.connect((server.address() as AddressInfo).port, "127.0.0.1"));
    client.on("connect", () => client.write(`POST / HTTP/1.1\r\nHost: gw\r\nContent-Length: 5\r\n\r\n${sent}`));
  });
  expect(await read).toBe("invalid_request");
});
