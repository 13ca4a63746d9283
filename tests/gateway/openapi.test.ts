import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NOTES } from "~/openapi/notes";
import { ErrorEnvelope, ValidationProblem } from "~/openapi/problems";
import type { DescribedOperation, OpenApiDocument, OperationNotes } from "~/openapi/shared";
import { type Gateway, startGateway } from "../support/gateway";
import { addDepartment, addPerson, type Person } from "../support/people";

let gateway: Gateway;
let document: OpenApiDocument;
let keyId: string;
let responseId: string;
let person: Person;
let inviteId: number;
let departmentId: number;
let projectId: number;
let fileId: string;
let batchId: string;
/** Bodies with ids of this installation. */
let bodies: Record<string, unknown> = {};

beforeAll(async () => {
  gateway = await startGateway();
  document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as OpenApiDocument;
  keyId = (await gateway.createKey()).id;
  person = await addPerson(gateway.sql);
  // Managing people needs an admin key that was issued to a person.
  const { userId } = await addPerson(gateway.sql, { role: "org_admin" });
  await gateway.sql("UPDATE api_key SET issued_to_id = $1 WHERE kind = 'admin'", [userId]);
  [{ id: inviteId }] = await gateway.sql(
    `INSERT INTO invite (organisation_id, email, role, token_hash, expires_at)
     VALUES ($1, 'invited@example.com', 'member', 'x', now() + interval '1 day') RETURNING id`,
    [person.organisationId],
  );
  departmentId = await addDepartment(gateway.sql, person.organisationId);
  [{ id: projectId }] = await gateway.sql(
    "INSERT INTO project (organisation_id, name) VALUES ($1, 'Described') RETURNING id",
    [person.organisationId],
  );
  fileId = await upload();
  bodies = {
    "POST /v1/batches": { input_file_id: await upload(), endpoint: "/v1/embeddings", completion_window: "24h" },
  };
  batchId = ((await (await send("POST /v1/batches")).json()) as { id: string }).id;
  responseId = ((await (await send("POST /v1/responses")).json()) as { id: string }).id;
});
afterAll(() => gateway?.close());

const noted = Object.entries(NOTES).filter(
  (entry): entry is [string, OperationNotes] => typeof entry[1] !== "string" && / \/v\d\/|GET \/health$/.test(entry[0]),
);

async function upload(): Promise<string> {
  const body = new FormData();
  body.append("purpose", "batch");
  body.append("file", new Blob(["{}"]), "lines.jsonl");
  const headers = { authorization: `Bearer ${gateway.key}` };
  const response = await fetch(`${gateway.url}/v1/files`, { method: "POST", headers, body });
  return ((await response.json()) as { id: string }).id;
}

/** Sends a request as described: with the example, the credential and ids of this installation. */
function send(operation: string, { body }: { body?: unknown } = {}): Promise<Response> {
  const [method = "", path = ""] = operation.split(" ");
  const described = (document.paths[path] as Record<string, DescribedOperation>)[method.toLowerCase()]!;
  const [scheme = ""] = described.security.flatMap(Object.keys);
  const example = described.requestBody?.content["application/json"]?.example;
  const sent = body ?? bodies[operation] ?? example;
  const credential: Record<string, string> = {
    bearer: `Bearer ${gateway.key}`,
    adminKey: `Bearer ${gateway.adminKey}`,
  };
  return fetch(
    gateway.url +
      path
        .replace("{key_id}", keyId)
        .replace("{user_id}", String(person.userId))
        .replace("{invite_id}", String(inviteId))
        .replace("{org_id}", String(person.organisationId))
        .replace("{department_id}", String(departmentId))
        .replace("{project_id}", String(projectId))
        .replace("{model}", "sandbox-chat")
        .replace("{response_id}", responseId)
        .replace("{file_id}", fileId)
        .replace("{batch_id}", batchId),
    {
      method,
      headers: {
        "content-type": "application/json",
        "x-client-request-id": "described",
        ...(scheme === "apiKeyHeader" ? { "x-api-key": gateway.key } : {}),
        ...(credential[scheme] ? { authorization: credential[scheme] } : {}),
      },
      body: sent === undefined ? undefined : JSON.stringify(sent),
    },
  );
}

test("the server describes what it serves: portal 0.1.0, by OpenAPI 3.1.0, under its own address", () => {
  expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "portal", version: "0.1.0" } });
  expect(document.paths).toHaveProperty(["/v1/chat/completions", "post"]);
  expect(document.paths).toHaveProperty(["/pricing", "get"]);
});

describe("as described, it works:", () => {
  // Deletions are last, because the others need the key. Left out: transcriptions, edits and files, which are forms,
  // and cancellations, because there is nothing to cancel.
  const operations = noted.filter(
    ([name]) =>
      !name.startsWith("DELETE") && !/(transcriptions|translations|edits|cancel|^POST \/v1\/files)$/.test(name),
  );
  test.each([...operations, ...noted.filter(([name]) => name.startsWith("DELETE"))])("%s", async (name, notes) => {
    const response = await send(name);
    expect(response.status, await response.clone().text()).toBe(200);
    const type = response.headers.get("content-type") ?? "";
    if (notes.answer && type.includes("json"))
      expect(notes.answer.safeParse(await response.json()).error).toBeUndefined();
    else
      expect(
        notes.otherAnswers?.some(({ contentType }) => type.startsWith(contentType)),
        type,
      ).toBe(true);
    for (const header of Object.keys(notes.answerHeaders ?? {}))
      if (type.includes("json")) expect(response.headers.has(header), header).toBe(true);
  });
});

test("problems have the described shapes", async () => {
  const refused = await fetch(`${gateway.url}/v1/chat/completions`, { method: "POST" });
  expect(ErrorEnvelope.safeParse(await refused.json()).success).toBe(true);
  const invalid = await send("POST /v1/manage/keys", { body: { budget_limit: -1 } });
  expect(invalid.status).toBe(422);
  expect(ValidationProblem.safeParse(await invalid.json()).error).toBeUndefined();
});
