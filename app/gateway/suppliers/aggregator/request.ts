import { editMembers, topLevelMembers } from "~/http/body/json/json-surgery";
import type { WireName } from "../../canonical/exchange";

/** Fields that select an aggregator's suppliers, fallback models, or extras with a price of their own. */
const STEERING = ["provider", "models", "route", "transforms", "plugins", "preset", "usage"];
const MAY_STEER = new RegExp(`"(?:${STEERING.join("|")})"|\\\\u`);
const TELL_USAGE = '"usage":{"include":true}';

/**
 * Removes the fields that control the aggregator's routing: gw has decided on region, model and price. Requests the
 * aggregator's cost in the answer.
 */
export function withoutRouting(body: string, dialect: WireName): string {
  const edits: Record<string, string | null> = Object.fromEntries(STEERING.map((name) => [name, null]));
  const clean = MAY_STEER.test(body) ? editMembers(body, topLevelMembers(body), edits) : body;
  if (dialect !== "chat") return clean;
  return `{${TELL_USAGE},${clean.slice(clean.indexOf("{") + 1).trimStart()}`;
}
