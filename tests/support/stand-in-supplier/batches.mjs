import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { chat } from "./chat.mjs";
import { decide } from "./plan.mjs";

/**
 * @typedef {object} StoredBatch
 * @property {string} id
 * @property {number} created_at
 * @property {string} status
 * @property {string} input_file_id
 * @property {string | null} output_file_id
 * @property {string | null} error_file_id
 * @property {object | null} errors
 * @property {Record<string, string>} metadata
 */
/** @typedef {{ custom_id: string, url: string, body: Record<string, any> }} Line */

/**
 * Files and batches of the chat completions API. An input file becomes a batch, which ends after a number of reads; its
 * lines are in the output files in no particular order.
 */
export class Batches {
  #supplier;
  /** @type {Map<string, string>} */
  #files = new Map();
  /** @type {Map<string, StoredBatch>} */
  #batches = new Map();
  /** @type {Map<string, number>} */
  #reads = new Map();

  /** @param {import("./speak.mjs").Supplier} supplier */
  constructor(supplier) {
    this.#supplier = supplier;
  }

  /** Answers requests about batches and files; returns false for all others. @param {import("node:http").IncomingMessage} request @param {URL} url @param {Buffer} body @param {import("node:http").ServerResponse} response */
  async answer(request, url, body, response) {
    const step = stepOf(request.method ?? "", url.pathname);
    if (step === null) return false;
    await answerStep(this.#supplier, step, () => this.#carryOut(step, url, request, body), { request, body, response });
    return true;
  }

  /** @param {{ name: string, id: string }} step @param {URL} url @param {import("node:http").IncomingMessage} request @param {Buffer} body @returns {[number, unknown]} */
  #carryOut({ name, id }, url, request, body) {
    switch (name) {
      case "upload": {
        const file = `file-${randomUUID()}`;
        this.#files.set(file, fileIn(body.toString("utf8"), String(request.headers["content-type"])));
        return [200, { id: file, object: "file", purpose: "batch" }];
      }
      case "content":
        return this.#files.has(id) ? [200, this.#files.get(id)] : NOT_FOUND;
      case "forget":
        return this.#files.delete(id) ? [200, { id, object: "file", deleted: true }] : NOT_FOUND;
      case "create":
        return [200, this.#create(JSON.parse(body.toString("utf8")))];
      case "list":
        return [200, this.#list(Number(url.searchParams.get("limit") ?? 20), url.searchParams.get("after"))];
      case "cancel": {
        const batch = this.#batches.get(id);
        if (batch === undefined || batch.output_file_id !== null) return [409, { error: { message: "it is over" } }];
        batch.status = "cancelling";
        return [200, batch];
      }
      default:
        return this.#read(id);
    }
  }

  /** @param {{ input_file_id: string, metadata: Record<string, string> }} asked */
  #create({ input_file_id, metadata }) {
    /** @type {StoredBatch} */
    const batch = {
      ...{ id: `batch_${randomUUID()}`, created_at: Math.floor(Date.now() / 1_000), status: "validating" },
      ...{ input_file_id, output_file_id: null, error_file_id: null, errors: null, metadata },
    };
    this.#batches.set(batch.id, batch);
    return batch;
  }

  /** Lists batches, newest first. @param {number} limit @param {string | null} after */
  #list(limit, after) {
    const all = [...this.#batches.values()].reverse();
    const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    return { object: "list", data: all.slice(from, from + limit), has_more: all.length > from + limit };
  }

  /** @param {string} id @returns {[number, unknown]} */
  #read(id) {
    const batch = this.#batches.get(id);
    if (batch === undefined) return NOT_FOUND;
    const reads = (this.#reads.get(id) ?? 0) + 1;
    this.#reads.set(id, reads);
    const { plan } = this.#supplier;
    const isOver = ["completed", "failed", "expired", "cancelled"].includes(batch.status);
    if (isOver) return [200, batch];
    if (batch.status === "cancelling") this.#end(batch, "cancelled");
    else if (reads >= plan.batch.reads) this.#end(batch, plan.batch.outcome);
    else batch.status = "in_progress";
    return [200, batch];
  }

  /** @param {StoredBatch} batch @param {string} outcome */
  #end(batch, outcome) {
    batch.status = outcome;
    if (outcome === "failed") {
      batch.errors = { object: "list", data: [{ code: "model_not_supported", message: "not in a batch", line: 1 }] };
      return;
    }
    const lines = (this.#files.get(batch.input_file_id) ?? "").split("\n").filter((line) => line !== "");
    const worked = this.#supplier.plan.batch.worked ?? lines.length;
    /** @type {{ output: string[], error: string[] }} */
    const files = { output: [JSON.stringify(answered({ custom_id: "nobody's" }, 200, {}))], error: [] };
    lines.forEach((text, index) => {
      const line = /** @type {Line} */ (JSON.parse(text));
      if (index < worked) this.#work(line, files);
      else if (outcome !== "completed")
        files.error.push(
          JSON.stringify({
            custom_id: line.custom_id,
            response: null,
            error: { code: `batch_${outcome}`, message: "" },
          }),
        );
    });
    for (const name of /** @type {const} */ (["output", "error"])) {
      const id = `file-${name}-${randomUUID()}`;
      this.#files.set(id, files[name].toReversed().join("\n"));
      batch[`${name}_file_id`] = id;
    }
  }

  /** @param {Line} line @param {{ output: string[], error: string[] }} files */
  #work(line, files) {
    const { plan, bill } = this.#supplier;
    const { custom_id: id, body } = line;
    const { fault, tokens } = decide(plan, id, { user: body.user, model: body.model });
    if (fault === "refused")
      return void files.error.push(
        JSON.stringify(answered(line, 400, { error: { message: "not like this", type: "bad", code: "bad_line" } })),
      );
    if (fault === "engine")
      return void files.error.push(
        JSON.stringify({
          custom_id: id,
          response: null,
          error: { code: "server_error", message: "the engine failed" },
        }),
      );
    const work = chat.workFor(id, body, JSON.stringify(body).length, tokens ?? 1);
    const usage = { promptTokens: work.promptTokens, completionTokens: work.words.length };
    bill.add({ id, model: work.model, stream: false, ...usage, reason: "batch", fault });
    if (fault === "missing") return;
    const told = fault === "no-usage" ? null : fault === "insane-large" ? { ...usage, completionTokens: 2e9 } : usage;
    const answer = /** @type {Record<string, any>} */ (chat.whole(work, told));
    if (fault === "huge") answer.padding = "x".repeat(33 * 1024 * 1024);
    const text = JSON.stringify(answered(line, 200, answer));
    files.output.push(text);
    if (fault === "twice") files.output.push(text);
    if (fault === "nonsense") files.output.push("{not json");
  }
}

/** @param {{ custom_id: string }} line @param {number} status_code @param {object} body */
const answered = ({ custom_id }, status_code, body) => ({
  id: `batch_req_${custom_id}`,
  custom_id,
  response: { status_code, request_id: "req", body },
  error: null,
});

/** @type {[number, unknown]} */
const NOT_FOUND = [404, { error: { message: "there is no such thing", type: "invalid_request_error", code: null } }];

/** @param {string} method @param {string} path @returns {{ name: string, id: string } | null} */
function stepOf(method, path) {
  const [, version, what, id = "", verb = ""] = path.split("/");
  if (version !== "v1" || (what !== "files" && what !== "batches")) return null;
  const named = `${method} ${what} ${id === "" ? "" : "id"} ${verb}`.trim();
  const name = STEPS[named];
  return name === undefined ? null : { name, id };
}

/** @type {Record<string, string>} */
const STEPS = {
  "POST files": "upload",
  "GET files id content": "content",
  "DELETE files id": "forget",
  "POST batches": "create",
  "GET batches": "list",
  "GET batches id": "read",
  "POST batches id cancel": "cancel",
};

/** Returns the file of a multipart form. @param {string} form @param {string} type */
function fileIn(form, type) {
  const boundary = /boundary=(\S+)/.exec(type)?.[1] ?? "";
  const part = form.split(`--${boundary}`).find((one) => one.includes('name="file"')) ?? "";
  return part.slice(part.indexOf("\r\n\r\n") + 4).trimEnd();
}

/**
 * Executes a step and answers it, with the rejections, delays and lost answers of the plan.
 * @param {import("./speak.mjs").Supplier} supplier
 * @param {{ name: string }} step
 * @param {() => [number, unknown]} carryOut
 * @param {{ request: import("node:http").IncomingMessage, body: Buffer, response: import("node:http").ServerResponse }} with_
 */
export async function answerStep(supplier, { name }, carryOut, { request, body, response }) {
  const { refuse, delayMs, lost } = supplier.plan.batch;
  const seen = supplier.record.begin(request, body, name);
  response.once("close", () => supplier.record.end(seen, response.writableFinished));
  const status = refuse[name];
  const [code, answer] =
    status === undefined
      ? carryOut()
      : [status, { error: { message: `no ${name} here`, type: "invalid_request_error", code: "refused" } }];
  await pause(delayMs[name] ?? 0);
  if (lost.includes(name)) return void response.socket?.resetAndDestroy();
  const isText = typeof answer === "string";
  response.writeHead(code, { "content-type": isText ? "application/octet-stream" : "application/json" });
  response.end(isText ? answer : JSON.stringify(answer));
}
