import { inTransaction } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { beginBatch, createBatch, endBatch, endLine, stopBatch } from "~/domain/batches/index.server";
import { finishFile, writeFile } from "~/domain/files/index.server";
import type { FilePurpose } from "~/domain/files/shared";
import type { KeyOwner } from "~/domain/keys/shared";
import type { SeededKey } from "./keys";
import type { Traffic } from "./traffic";

const ENDPOINT = "/v1/chat/completions";
const KEPT_SECONDS = 30 * 86_400;
const SIZES = [40, 12];

/** Creates finished batches with their files: of the first person's key, and of the first application's. */
export async function makeBatches(traffic: Traffic, keys: readonly SeededKey[]): Promise<void> {
  const batchKeys = [keys[0], keys.find(({ unattended, perHour }) => unattended && perHour > 0)];
  for (const [index, key] of batchKeys.entries()) if (key !== undefined) await makeBatch(traffic, key, SIZES[index]!);
}

async function makeBatch(traffic: Traffic, { id: keyId, secret }: SeededKey, size: number): Promise<void> {
  const owner = await db().apiKey.findUniqueOrThrow({
    where: { id: keyId },
    select: { organisationId: true, userId: true },
  });
  const questions = Array.from({ length: size }, (_, index) => JSON.stringify(questionOf(index)));
  const inputFileId = await fileOf(owner, { purpose: "batch", filename: "questions.jsonl", lines: questions });
  const asked = {
    keyId,
    endpoint: ENDPOINT,
    inputFileId,
    metadata: { dataset: "support questions" },
    outputSeconds: null,
  };
  const batch = await createBatch(db(), owner, asked as Parameters<typeof createBatch>[2]);
  if (batch === null) return;
  let at = 0;
  const places = questions.map((line, position) => {
    const place = { position, at, bytes: Buffer.byteLength(line), routeId: null };
    at += place.bytes + 1;
    return place;
  });
  await beginBatch(db(), batch.id, places);
  const calls = await traffic.sendLines(secret, batch.id, size);
  const lineRows = calls.map((call, position) => ({
    position,
    failed: call === null || call.end.status !== 200,
    content: JSON.stringify({
      id: `batch_req_${batch.id.slice(6)}_${position}`,
      custom_id: `question-${position + 1}`,
      response: call && { status_code: call.end.status, request_id: call.callId, body: {} },
      error: call === null ? { code: "budget_exceeded", message: "The budget of the key is used up." } : null,
    }),
  }));
  for (const line of lineRows) await endLine(db(), batch.id, line);
  await stopBatch(db(), batch.id, { outcome: "completed", errors: null });
  const written = async (failed: boolean) => {
    const lines = lineRows.filter((line) => line.failed === failed).map(({ content }) => content);
    const filename = `${batch.id}_${failed ? "error" : "output"}.jsonl`;
    return lines.length === 0 ? null : fileOf(owner, { purpose: "batch_output", filename, lines });
  };
  const [outputFileId, errorFileId] = [await written(false), await written(true)];
  await inTransaction(db(), (tx) => endBatch(tx, batch.id, { outputFileId, errorFileId }));
}

const questionOf = (index: number) => ({
  custom_id: `question-${index + 1}`,
  method: "POST",
  url: ENDPOINT,
  body: { model: "sandbox-chat", messages: [{ role: "user", content: `Question ${index + 1}` }] },
});

async function fileOf(
  owner: KeyOwner,
  { purpose, filename, lines }: { purpose: FilePurpose; filename: string; lines: readonly string[] },
): Promise<string> {
  async function* content() {
    yield Buffer.from(`${lines.join("\n")}\n`);
  }
  const written = await writeFile(db(), owner, { purpose, filename, seconds: KEPT_SECONDS, content: content() });
  if (written === null) throw new Error("there is no room for a file of the demo");
  await inTransaction(db(), (tx) => finishFile(tx, written));
  return written.id;
}
