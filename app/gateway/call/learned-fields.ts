import { db } from "~/connection/db.server";
import { learnRefusal, refusedFields } from "~/domain/catalogue/index.server";
import type { Route } from "~/domain/catalogue/shared";
import type { DialectName, OutgoingBody } from "../canonical/exchange";
import type { Guarded } from "../canonical/guarded";
import type { SupplierFailure } from "../canonical/supplier-failure";
import { withoutPlaces } from "../guard";
import { refusedField, TUNABLES } from "./refused-field";

type Body = OutgoingBody & Guarded;

/** A body and the fields removed from it, by the client's names. */
type Lighter = { body: Body; leftOut: readonly string[] };

const NOTHING: readonly string[] = Object.freeze([]);

/** Removes the fields that the route's supplier has refused for its model before. */
export function withoutLearned(body: Body, route: Route, client: DialectName): Lighter {
  const fields = refusedFields(route.supplier.name, route.upstreamModel, Date.now());
  if (fields.length === 0 || typeof body !== "string") return { body, leftOut: NOTHING };
  const leftOut: string[] = [];
  let rest: Body = body;
  for (const field of fields) {
    const lighter = withoutField(rest, field);
    if (lighter === null) continue;
    rest = lighter;
    leftOut.push(nameFor(field, client));
  }
  return { body: rest, leftOut };
}

/**
 * Returns the body for one more attempt at a supplier that refused it because of a tuning field. Remembers the field if
 * the supplier refuses it whatever its value. Null if the supplier refused the body for another reason.
 */
export function withoutRefused(
  body: Body,
  { failure, route, client }: { failure: SupplierFailure; route: Route; client: DialectName },
): Lighter | null {
  const refused = refusedField(failure);
  const lighter = refused === null ? null : withoutField(body, refused.field);
  if (refused === null || lighter === null) return null;
  const { supplier, upstreamModel: model } = route;
  if (refused.isForGood)
    learnRefusal(db(), { supplier: supplier.name, model, field: refused.field, words: failure.message });
  return { body: lighter, leftOut: [nameFor(refused.field, client)] };
}

function withoutField(body: Body, field: string): Body | null {
  const places = TUNABLES.find((tunable) => tunable.field === field)?.places;
  return places === undefined || typeof body !== "string" ? null : withoutPlaces(body, places);
}

/** Names of fields in dialects that call them differently. */
const NAMES: Partial<Record<DialectName, Readonly<Record<string, string>>>> = {
  messages: { stop: "stop_sequences", user: "metadata.user_id", reasoning_effort: "thinking" },
  responses: { reasoning_effort: "reasoning.effort", verbosity: "text.verbosity" },
};

const nameFor = (field: string, client: DialectName): string => NAMES[client]?.[field] ?? field;
