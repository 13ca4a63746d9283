import { editMembers, topLevelMembers } from "~/http/json-surgery";
import type { WireName } from "../../canonical/exchange";

/** Fields by which an aggregator's client would choose suppliers, other models, or extras that are paid apart. */
const STEERING = ["provider", "models", "route", "transforms", "plugins", "preset", "usage"];
const MAY_STEER = new RegExp(`"(?:${STEERING.join("|")})"|\\\\u`);
const TELL_USAGE = '"usage":{"include":true}';

/**
 * The body without what would steer the aggregator: regions, models and prices are decided before it is asked. Asks for
 * what the work has cost there.
 */
export function withoutRouting(body: string, dialect: WireName): string {
  const edits: Record<string, string | null> = Object.fromEntries(STEERING.map((name) => [name, null]));
  const clean = MAY_STEER.test(body) ? editMembers(body, topLevelMembers(body), edits) : body;
  if (dialect !== "chat") return clean;
  return `{${TELL_USAGE},${clean.slice(clean.indexOf("{") + 1).trimStart()}`;
}
