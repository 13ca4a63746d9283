import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { Busboy, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { apiError } from "~/errors/app-error";
import { type Connection, connectionOf } from "../server/connection";
import { runMinorGc } from "../server/minor-gc";
import { boundPauses } from "./slow-body";
import { Spool } from "./spool";

/** A form with files: its fields in the order of arrival, and the files on disk. The caller closes the files. */
export type Upload = {
  fields: readonly (readonly [name: string, value: string])[];
  files: readonly UploadedFile[];
};
/** `filename`: as the client sent it, at most 255 characters; null when missing. */
export type UploadedFile = { field: string; spool: Spool; filename?: string | null };

/**
 * `fileFields`: names of the fields that accept files; `files`: maximum number of files, by default one; `fileBytes`:
 * maximum size of all files together; `pauseMs`: maximum time without data from the client.
 */
export type UploadRules = {
  fileFields: readonly string[];
  files?: number;
  fileBytes: number;
  folder: string;
  pauseMs?: number;
};

/** Maximum size of the form without its files. */
const OTHER_BYTES = 1024 * 1024;
const LIMITS = {
  fieldNameSize: 100,
  fieldSize: 64 * 1024,
  fields: 64,
  headerPairs: 16,
  headerSize: 8 * 1024,
};
const MAX_FILENAME = 255;
/** Bytes to parse between two checks for too many parts; the smallest parts cost microseconds each. */
const SLICE_BYTES = 8 * 1024;
/** Bytes of a file between two garbage collections. */
const COLLECT_EVERY_BYTES = 2 * 1024 * 1024;

/**
 * Reads a multipart form, and streams its files to disk. Fields and files may have any order.
 * @throws AppError unsupported_media_type; request_too_large before more than the limit is stored; invalid_request for
 *   a form that is malformed, incomplete or has too many files; request_timeout when the upload stalls.
 */
export async function readMultipart(request: Request, rules: UploadRules): Promise<Upload> {
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw apiError("unsupported_media_type", { userMessage: "Send the request as multipart/form-data." });
  }
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding !== "identity") {
    throw apiError("unsupported_media_type", {
      userMessage: "Compressed request bodies are not accepted. Send the body as it is.",
    });
  }
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > rules.fileBytes + OTHER_BYTES) throw tooLarge(rules);
  const reading = new FormReading(rules, contentType);
  try {
    return await reading.from(incomingOf(request), connectionOf(request));
  } catch (error) {
    await reading.discard();
    throw error;
  }
}

function incomingOf(request: Request): Readable {
  const connection = connectionOf(request);
  if (connection) return connection.incoming;
  return request.body === null ? Readable.from([]) : Readable.fromWeb(request.body as never);
}

class FormReading {
  readonly #rules: UploadRules;
  readonly #parser: BusboyInstance;
  readonly #fields: [string, string][] = [];
  readonly #files: {
    field: string;
    filename: string | null;
    stream: Readable;
    spool: Promise<Spool>;
    stored: Promise<void>;
  }[] = [];
  #fail!: (error: Error) => void;
  #isOver = false;
  readonly #failed: Promise<never>;

  constructor(rules: UploadRules, contentType: string) {
    this.#rules = rules;
    this.#failed = new Promise((_resolve, reject) => {
      this.#fail = (error) => {
        this.#isOver = true;
        reject(error);
      };
    });
    this.#failed.catch(() => {});
    const { files = 1 } = rules;
    try {
      this.#parser = new Busboy({
        headers: { "content-type": contentType } as BusboyHeaders,
        limits: { ...LIMITS, files, parts: LIMITS.fields + files + 1, fileSize: rules.fileBytes },
      });
    } catch (cause) {
      throw apiError("invalid_request", { userMessage: "The multipart form has no usable boundary.", cause });
    }
    this.#parser.on("field", (name, value, nameCut, valueCut) => this.#onField(name, value, nameCut || valueCut));
    this.#parser.on("file", (name, stream, filename: string | undefined) => this.#onFile(name, stream, filename));
    for (const event of ["partsLimit", "fieldsLimit"] as const) {
      this.#parser.on(event, () => this.#fail(malformed("has too many fields")));
    }
    this.#parser.on("filesLimit", () =>
      this.#fail(malformed(files === 1 ? "has more than one file" : `has more than ${files} files`)),
    );
    this.#parser.on("error", (cause) => this.#fail(malformed("cannot be read", cause)));
  }

  async from(incoming: Readable, connection?: Connection): Promise<Upload> {
    // A destroyed stream emits no more events.
    if (incoming.destroyed) throw malformed("ended before it was complete");
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > this.#rules.fileBytes + OTHER_BYTES) this.#fail(tooLarge(this.#rules));
    };
    const onBroken = () => this.#fail(malformed("ended before it was complete"));
    const onClose = () => void (incoming.readableEnded || onBroken());
    const slices = this.#slices();
    const { pauseMs = 60_000 } = this.#rules;
    const stopClock = connection && boundPauses(connection, pauseMs, (error) => this.#fail(error));
    incoming.on("data", onData).on("error", onBroken).on("close", onClose);
    try {
      incoming.pipe(slices);
      await Promise.race([this.#failed, once(this.#parser, "finish")]);
      await Promise.race([this.#failed, Promise.all(this.#files.map(({ stored }) => stored))]);
      const files = this.#files.map(async ({ field, filename, spool }) => ({ field, filename, spool: await spool }));
      return { fields: this.#fields, files: await Promise.all(files) };
    } finally {
      stopClock?.();
      incoming.unpipe(slices);
      incoming.off("data", onData).off("error", onBroken).off("close", onClose);
    }
  }

  /** Returns a stream that feeds the parser in small pieces, and stops once the form is rejected. */
  #slices(): Writable {
    const parser = this.#parser;
    const slices = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        for (let at = 0; at < chunk.length && !this.#isOver; at += SLICE_BYTES)
          parser.write(chunk.subarray(at, at + SLICE_BYTES));
        if (parser.writableNeedDrain && !this.#isOver) parser.once("drain", done);
        else done();
      },
      final: (done) => {
        if (this.#isOver) done();
        else parser.end(done);
      },
    });
    // When the form is rejected between its last piece and its end, the destroyed parser passes its error to this
    // stream.
    slices.on("error", () => {});
    return slices;
  }

  /** Releases the stored files of a rejected form. */
  async discard(): Promise<void> {
    this.#parser.destroy();
    for (const { stream } of this.#files) stream.destroy();
    for (const { spool, stored } of this.#files) {
      await stored.catch(() => {});
      const file = await spool.catch(() => null);
      await file?.close();
    }
  }

  #onField(name: string | undefined, value: string, cut: boolean): void {
    if (cut || name === undefined || name === "")
      this.#fail(malformed("has a field without a name or of great length"));
    else if (this.#rules.fileFields.includes(name)) this.#fail(malformed(`must carry ${name} as a file`));
    else this.#fields.push([name, value]);
  }

  #onFile(name: string | undefined, stream: Readable, filename?: string): void {
    // Without a listener, the error of an incomplete form would crash the process.
    stream.on("error", () => {});
    const { fileFields, folder } = this.#rules;
    if (name === undefined || !fileFields.includes(name)) {
      const fields =
        fileFields.length === 1 ? `the field ${fileFields[0]}` : `one of the fields ${fileFields.join(", ")}`;
      this.#fail(malformed(`takes a file in ${fields} only`));
      return;
    }
    stream.on("limit", () => this.#fail(tooLarge(this.#rules)));
    const spool = Spool.open(folder);
    const stored = this.#store(stream, spool);
    stored.catch((error) => this.#fail(error));
    this.#files.push({ field: name, filename: filename?.slice(0, MAX_FILENAME) || null, stream, spool, stored });
  }

  async #store(stream: Readable, opening: Promise<Spool>): Promise<void> {
    const spool = await opening;
    let since = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      await spool.append(chunk);
      since += chunk.length;
      if (since < COLLECT_EVERY_BYTES) continue;
      since = 0;
      runMinorGc();
    }
  }
}

const malformed = (what: string, cause?: unknown) =>
  apiError("invalid_request", { userMessage: `The multipart form ${what}.`, cause });

const tooLarge = ({ fileBytes, files = 1 }: UploadRules) =>
  apiError("request_too_large", {
    userMessage: `${files === 1 ? "The file is" : "The files are"} larger than ${Math.floor(fileBytes / (1024 * 1024))} MB.`,
  });
