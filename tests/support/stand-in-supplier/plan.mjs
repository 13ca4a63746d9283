import { between, fractionOf } from "./random.mjs";

/**
 * The supplier's default behaviour. A request overrides it in its `user` field (`fault=reset:200;tokens=7;bill=no`) or
 * in its model name (`anything-fault-429`, `anything-fault-429:date`).
 * @typedef {object} Plan
 * @property {string} seed
 * @property {string[]} queue faults of the next requests, in order; "ok" for none
 * @property {Record<string, number>} faults probability of each fault, for requests after the queue
 * @property {[number, number]} delayMs range of the delay before the first byte
 * @property {[number, number]} paceMs range of the pause between two events
 * @property {BatchPlan} batch
 * @property {[number, number]} tokens range of an answer's length, within the request's own maximum
 */

/**
 * The behaviour of batches. `reads`: number of reads until a batch ends. `worked`: number of processed lines; by
 * default all. `refuse`: HTTP status by rejected step. `delayMs`: delay of a step's answer after its execution.
 * `lost`: steps that are executed but never answered.
 * @typedef {{ reads: number, outcome: "completed" | "failed" | "expired", worked?: number, refuse: Record<string, number>, delayMs: Record<string, number>, lost: string[] }} BatchPlan
 */

/** @returns {Plan} */
export const quietPlan = () => ({
  ...{ seed: "1", queue: [], faults: {}, delayMs: [0, 0], paceMs: [0, 0], tokens: [1, 40] },
  batch: { reads: 1, outcome: "completed", refuse: {}, delayMs: {}, lost: [] },
});

/**
 * @typedef {object} Decision
 * @property {string} fault name, "ok" for none
 * @property {string} argument text after the fault's colon
 * @property {number} delayMs
 * @property {number} paceMs
 * @property {number | null} tokens
 * @property {boolean | null} billed
 */

/** @param {Plan} plan @param {string} id @param {{ user?: unknown, model?: unknown }} body @returns {Decision} */
export function decide(plan, id, body) {
  const said = directives(body.user);
  const named = /-fault-([a-z0-9:-]+)$/.exec(String(body.model ?? ""))?.[1];
  const [fault = "ok", argument = ""] = (said.fault ?? named ?? plan.queue.shift() ?? drawn(plan, id)).split(":");
  const key = `${plan.seed}/${id}`;
  return {
    fault,
    argument,
    delayMs: said.delay === undefined ? between(`${key}/delay`, ...plan.delayMs) : Number(said.delay),
    paceMs: said.pace === undefined ? between(`${key}/pace`, ...plan.paceMs) : Number(said.pace),
    tokens: said.tokens === undefined ? between(`${key}/tokens`, ...plan.tokens) : Number(said.tokens),
    billed: said.bill === undefined ? null : said.bill === "yes",
  };
}

/** @param {unknown} user @returns {Record<string, string | undefined>} */
function directives(user) {
  if (typeof user !== "string" || !user.includes("=")) return {};
  return Object.fromEntries(user.split(";").map((part) => [part.split("=")[0], part.slice(part.indexOf("=") + 1)]));
}

/** @param {Plan} plan @param {string} id */
function drawn(plan, id) {
  let left = fractionOf(`${plan.seed}/${id}/fault`);
  for (const [fault, probability] of Object.entries(plan.faults)) {
    if (left < probability) return fault;
    left -= probability;
  }
  return "ok";
}
