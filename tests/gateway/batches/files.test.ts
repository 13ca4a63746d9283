import { once } from "node:events";
import { request } from "node:http";
import OpenAI, { toFile } from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, startGateway } from "../../support/gateway";

let gateway: Gateway;
let client: OpenAI;
beforeAll(async () => {
  gateway = await startGateway({ env: { GW_MAX_FILE_BYTES: "1000000" } });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
});
afterAll(() => gateway?.close());

const upload = (text: string | Buffer, name = "lines.jsonl") =>
  toFile(Buffer.from(text), name).then((file) => client.files.create({ purpose: "batch", file }));

test("a file is uploaded, found, listed, read and deleted", async () => {
  const text = `${"héllo\n".repeat(100_000)}end`;
  const made = await upload(text, "my “lines”.jsonl");
  expect(made).toMatchObject({ object: "file", purpose: "batch", bytes: Buffer.byteLength(text), status: "processed" });
  expect(made.filename).toBe("my “lines”.jsonl");
  expect(await client.files.retrieve(made.id)).toEqual(made);
  expect(await (await client.files.content(made.id)).text()).toBe(text);
  const second = await upload("second");
  const listed: string[] = [];
  for await (const { id } of client.files.list({ purpose: "batch", limit: 1 })) listed.push(id);
  expect(listed).toEqual([second.id, made.id]);
  expect((await client.files.list({ purpose: "other" })).data).toEqual([]);
  expect(await client.files.delete(made.id)).toEqual({ id: made.id, object: "file", deleted: true });
  for (const gone of ["retrieve", "content", "delete"] as const)
    await expect(client.files[gone](made.id)).rejects.toMatchObject({ status: 404, code: "not_found" });
});

test("it expires when its client says so, and never later than the installation says", async () => {
  const file = await toFile(Buffer.from("x"), "x");
  const after = (seconds: number) =>
    client.files.create({ purpose: "batch", file, expires_after: { anchor: "created_at", seconds } });
  const { created_at, expires_at } = await after(7_200);
  expect((expires_at ?? 0) - created_at).toBe(7_200);
  for (const seconds of [10, 2_592_001, 3_600.5])
    await expect(after(seconds)).rejects.toMatchObject({ status: 400, code: "invalid_expires_after" });
});

test("what cannot be kept is refused, and keeps nothing", async () => {
  const before = await gateway.sql("SELECT count(*)::int AS count FROM stored_file");
  await expect(upload(Buffer.alloc(1_000_001))).rejects.toMatchObject({ status: 413 });
  const file = await toFile(Buffer.from("x"), "x");
  await expect(client.files.create({ purpose: "assistants", file })).rejects.toMatchObject({
    ...{ status: 400, code: "unsupported_parameter", param: "purpose" },
  });
  const form = (fields: Record<string, string | Blob>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return fetch(`${gateway.url}/v1/files`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.key}` },
      body,
    });
  };
  expect((await form({ purpose: "batch" })).status).toBe(400);
  expect((await form({ file: new Blob(["x"]) })).status).toBe(400);
  expect((await form({ purpose: "batch", file: new Blob(["x"]), other: "1" })).status).toBe(400);
  const json = await fetch(`${gateway.url}/v1/files`, {
    ...{ method: "POST", headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" } },
    body: "{}",
  });
  expect(json.status).toBe(415);
  expect(await gateway.sql("SELECT count(*)::int AS count FROM stored_file")).toEqual(before);
});

const HALF_FORM = [
  ...["--b", 'content-disposition: form-data; name="purpose"', "", "batch"],
  ...["--b", 'content-disposition: form-data; name="file"; filename="half.jsonl"', "", "x".repeat(200_000)],
].join("\r\n");

test("a form that is sent by half keeps nothing, whether it ends there or its client goes", async () => {
  const kept = () =>
    gateway.sql(
      "SELECT (SELECT count(*)::int FROM stored_file) AS files, count(*)::int AS pieces FROM stored_file_piece",
    );
  const before = await kept();
  const headers = { authorization: `Bearer ${gateway.key}`, "content-type": "multipart/form-data; boundary=b" };
  const ended = await fetch(`${gateway.url}/v1/files`, { method: "POST", headers, body: HALF_FORM });
  expect([ended.status, (await ended.json()).error.code]).toEqual([400, "invalid_request"]);
  const left = request(`${gateway.url}/v1/files`, {
    method: "POST",
    headers: { ...headers, "content-length": 400_000 },
  });
  const broken = once(left, "error");
  await new Promise((resolve) => left.write(HALF_FORM, resolve));
  left.destroy(new Error("the client has gone"));
  await broken;
  // The next upload succeeds, because the abandoned one has released its space.
  const { id } = await upload("whole");
  await client.files.delete(id);
  expect(await kept()).toEqual(before);
});

test("without a key nothing is answered, and an owner's file is nobody else's", async () => {
  const { id } = await upload("mine");
  for (const path of ["files", `files/${id}`, `files/${id}/content`])
    expect((await fetch(`${gateway.url}/v1/${path}`)).status).toBe(401);
  await gateway.sql("UPDATE stored_file SET user_id = 424242 WHERE id = $1", [id]);
  await expect(client.files.retrieve(id)).rejects.toMatchObject({ status: 404 });
  await expect(client.files.content(id)).rejects.toMatchObject({ status: 404 });
  await expect(client.files.delete(id)).rejects.toMatchObject({ status: 404 });
  expect(JSON.stringify(await client.files.list())).not.toContain(id);
  expect(
    (await fetch(`${gateway.url}/v1/files/..%2f..%2fhealth`, { headers: { authorization: `Bearer ${gateway.key}` } }))
      .status,
  ).toBe(400);
});
