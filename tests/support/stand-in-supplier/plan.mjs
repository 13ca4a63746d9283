import { between, fractionOf } from "./random.mjs";

/**
 * What the supplier does with requests that do not say it themselves. A request says it in its `user` field
 * (`fault=reset:200;tokens=7;bill=no`) or in its model name (`anything-fault-429`, `anything-fault-429:date`).
 * @typedef {object} Plan
 * @property {string} seed
 * @property {string[]} queue faults of the next requests, in order; "ok" for none
 * @property {Record<string, number>} faults fault by probability, for the rest
 * @property {[number, number]} delayMs before the first byte, from–to
 * @property {[number, number]} paceMs between two events
 * @property {BatchPlan} batch
 * @property {[number, number]} tokens how long an answer is, within the request's own ceiling
 */

/**
 * What it does with batches. `reads`: so often one is read before it is over. `worked`: so many of its lines are worked; absent: all.
 * `refuse`: a status by the step that is refused. `delayMs`: how long a step takes, once it has been carried out. `lost`: steps that are
 * carried out and never answered.
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
 * @property {string} argument what stands behind the fault's colon
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
