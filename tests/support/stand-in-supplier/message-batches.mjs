import { randomUUID } from "node:crypto";
import { answerStep } from "./batches.mjs";
import { messages } from "./messages.mjs";
import { decide } from "./plan.mjs";

/** @typedef {{ custom_id: string, params: Record<string, any> }} Request */
/** @typedef {{ id: string, created_at: string, processing_status: string, requests: Request[], results: string }} StoredBatch */

/** Batches of the messages API: a batch contains its requests; after its end the results are lines in random order. */
export class MessageBatches {
  #supplier;
  /** @type {Map<string, StoredBatch>} */
  #batches = new Map();
  /** @type {Map<string, number>} */
  #reads = new Map();

  /** @param {import("./speak.mjs").Supplier} supplier */
  constructor(supplier) {
    this.#supplier = supplier;
  }

  /** Answers requests about batches; returns false for all others. @param {import("node:http").IncomingMessage} request @param {URL} url @param {Buffer} body @param {import("node:http").ServerResponse} response */
  async answer(request, url, body, response) {
    const [, , what, which, id = "", verb = ""] = url.pathname.split("/");
    if (what !== "messages" || which !== "batches") return false;
    const name = STEPS[`${request.method} ${id === "" ? "" : "id"} ${verb}`.trim()];
    if (name === undefined) return false;
    await answerStep(this.#supplier, { name }, () => this.#carryOut(name, id, body), { request, body, response });
    return true;
  }

  /** @param {string} name @param {string} id @param {Buffer} body @returns {[number, unknown]} */
  #carryOut(name, id, body) {
    if (name === "create") {
      const { requests } = JSON.parse(body.toString("utf8"));
      /** @type {StoredBatch} */
      const made = {
        ...{ id: `msgbatch_${randomUUID()}`, created_at: new Date().toISOString() },
        ...{ processing_status: "in_progress", requests, results: "" },
      };
      this.#batches.set(made.id, made);
      return [200, viewOf(made)];
    }
    if (name === "list") return [200, { data: [...this.#batches.values()].reverse().map(viewOf), has_more: false }];
    const batch = this.#batches.get(id);
    if (batch === undefined) return [404, { type: "error", error: { type: "not_found_error", message: "none" } }];
    if (name === "content") return [200, batch.results];
    if (name === "cancel") batch.processing_status = "canceling";
    else if (name === "forget") this.#batches.delete(id);
    else this.#read(batch);
    return [200, viewOf(batch)];
  }

  /** @param {StoredBatch} batch */
  #read(batch) {
    const { plan } = this.#supplier;
    const reads = (this.#reads.get(batch.id) ?? 0) + 1;
    this.#reads.set(batch.id, reads);
    if (batch.processing_status === "ended") return;
    const isCancelled = batch.processing_status === "canceling";
    if (!isCancelled && reads < plan.batch.reads) return;
    batch.processing_status = "ended";
    const worked = plan.batch.worked ?? batch.requests.length;
    const rest = isCancelled ? "canceled" : "expired";
    const lines = batch.requests.map(({ custom_id, params }, index) => ({
      custom_id,
      result: index < worked ? this.#work(custom_id, params) : { type: rest },
    }));
    batch.results = lines
      .map((line) => JSON.stringify(line))
      .toReversed()
      .join("\n");
  }

  /** @param {string} id @param {Record<string, any>} params */
  #work(id, params) {
    const { plan, bill } = this.#supplier;
    const { fault, tokens } = decide(plan, id, { user: params.metadata?.user_id, model: params.model });
    if (fault === "refused")
      return { type: "errored", error: { type: "error", error: { type: "invalid_request_error", message: "no" } } };
    const work = messages.workFor(id, params, JSON.stringify(params).length, tokens ?? 1);
    const usage = { promptTokens: work.promptTokens, completionTokens: work.words.length };
    bill.add({ id, model: work.model, stream: false, ...usage, reason: "batch", fault });
    return { type: "succeeded", message: messages.whole(work, usage) };
  }
}

/** @type {Record<string, string>} */
const STEPS = {
  POST: "create",
  GET: "list",
  "GET id": "read",
  "GET id results": "content",
  "POST id cancel": "cancel",
  "DELETE id": "forget",
};

/** @param {StoredBatch} batch */
const viewOf = ({ id, created_at, processing_status }) => ({
  id,
  type: "message_batch",
  created_at,
  processing_status,
});
