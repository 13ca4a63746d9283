import { request as httpRequest } from "node:http";
import { afterEach, expect, test } from "vitest";
import { type Gateway, startGateway } from "../support/gateway";

let gateway: Gateway;
afterEach(() => gateway?.close());

const stream = (model: string, words: number) =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, stream: true, messages: [{ role: "user", content: "word ".repeat(words) }] }),
  });

test("asked to stop, the process lets a stream finish, takes nothing new, books everything and exits with 0", async () => {
  gateway = await startGateway();
  const response = await stream("sandbox-chat", 60);
  const reader = response.body!.getReader();
  await reader.read();

  gateway.process.kill("SIGTERM");
  await expect
    .poll(async () => (await fetch(`${gateway.url}/health?ready`).catch(() => null))?.status ?? "refused")
    .not.toBe(200);
  const late = await stream("sandbox-chat", 1).catch(() => null);
  if (late !== null) {
    expect(late.status).toBe(503);
    expect(((await late.json()) as { error: { code: string } }).error.code).toBe("pod_draining");
  }

  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    text += Buffer.from(value).toString();
  }
  expect(text).toContain("[DONE]");
  expect(await gateway.kill("SIGTERM")).toBe(0);
});

test("asked to stop, the process answers the management request that has begun", async () => {
  gateway = await startGateway();
  const headers = { authorization: `Bearer ${gateway.adminKey}`, "content-type": "application/json" };
  const request = httpRequest(`${gateway.url}/v1/manage/keys`, { method: "POST", headers });
  const answered = new Promise<string>((resolve, reject) => {
    request.on("error", reject);
    request.on("response", (response) => {
      let text = "";
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => resolve(text));
    });
  });
  request.write('{"name":');
  // The gateway has to have seen the beginning.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const exited = gateway.kill("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, 500));
  request.end('"late"}');
  expect(JSON.parse(await answered)).toMatchObject({ name: "late", key: expect.stringMatching(/^gw_/) });
  expect(await exited).toBe(0);
});
