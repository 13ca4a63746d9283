import { config } from "~/config.server";
import { db } from "~/connection/db.server";
import { isInputInUse } from "~/domain/batches/index.server";
import { deleteFile, findFile, listFiles, readFile } from "~/domain/files/index.server";
import type { StoredFile } from "~/domain/files/shared";
import type { KeyOwner } from "~/domain/keys/shared";
import { apiError } from "~/errors/app-error";
import { isMessagesClient, type KeyAnswers, keyEndpoint, ownerOf } from "../key-endpoint";
import { listOf, pageOf } from "../list-page";
import { unixSeconds } from "../unix-seconds";
import { receiveFile } from "./receive";

const MAX_PAGE = 10_000;

/** An owner's files: upload, or list, newest first. */
export const files = filesEndpoint({
  async GET({ caller, query }) {
    const page = pageOf(query, MAX_PAGE, MAX_PAGE);
    const { files: found, hasMore } = await listFiles(db(), ownerOf(caller), {
      ...page,
      purpose: query.get("purpose"),
    });
    return listOf(found.map(fileView), hasMore);
  },
  async POST({ request, caller }) {
    if (config().files.days === 0)
      throw apiError("not_implemented", { userMessage: "This installation keeps no files." });
    return fileView(await receiveFile(request, ownerOf(caller)));
  },
});

/** A file: read its metadata, or delete it permanently. */
export const file = filesEndpoint({
  async GET({ caller, id }) {
    return fileView(await required(ownerOf(caller), id));
  },
  async DELETE({ caller, id }) {
    const owner = ownerOf(caller);
    await required(owner, id);
    if (await isInputInUse(db(), owner, id))
      throw apiError("conflict", { userMessage: "A batch that is under way needs the file. Cancel it first." });
    if (!(await deleteFile(db(), owner, id))) throw missing();
    return { id, object: "file", deleted: true };
  },
});

/** The unchanged bytes of a file. */
export const fileContent = filesEndpoint({
  async GET({ request, caller, id }) {
    const owner = ownerOf(caller);
    const match = await required(owner, id);
    return new Response(request.method === "HEAD" ? null : streamOf(readFile(db(), owner, { id })), {
      headers: {
        "content-type": "application/octet-stream",
        "content-length": String(match.bytes),
        "content-disposition": `attachment; filename="${id}.jsonl"`,
        "cache-control": "no-store, no-transform",
        "x-content-type-options": "nosniff",
      },
    });
  },
});

/**
 * The messages API has files at the same address with another meaning. Its clients get an error instead of an empty
 * account.
 */
function filesEndpoint(answers: KeyAnswers) {
  const refusing = Object.entries(answers).map(([method, answer]) => [
    method,
    (details: Parameters<typeof answer>[0]) => {
      if (!isMessagesClient(details.request)) return answer(details);
      throw apiError("not_found", {
        userMessage:
          "Files of the messages API are not offered here. Send the content in the message itself, as base64.",
      });
    },
  ]);
  return keyEndpoint(Object.fromEntries(refusing) as KeyAnswers);
}

/** Builds a file object of the API's format. */
const fileView = ({ id, purpose, filename, bytes, at, expiresAt }: StoredFile) => ({
  id,
  object: "file",
  bytes,
  created_at: unixSeconds(at),
  expires_at: unixSeconds(expiresAt),
  filename,
  purpose,
  status: "processed",
  status_details: null,
});

function streamOf(pieces: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );
}

async function required(owner: KeyOwner, id: string): Promise<StoredFile> {
  const match = await findFile(db(), owner, id);
  if (match === null) throw missing();
  return match;
}

/** The same error for an unknown file, an expired one, and one of another owner. */
const missing = () => apiError("not_found", { userMessage: "There is no such file." });
