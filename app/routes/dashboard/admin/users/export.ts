import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { listPeople, type PeoplePage, type PersonView } from "~/domain/people/index.server";
import { csvResponse } from "~/http/body/csv";
import type { CsvCell } from "~/values/csv";
import { formatUsd } from "~/values/money";
import { PeopleQuery } from "./list-query.server";

const PAGE = 500;
const HEADER = [
  ...["id", "email", "name", "organisation", "department", "role", "status", "payer", "billing_exempt", "billing_mode"],
  ...["budget_limit", "budget_period", "budget_spent", "budget_held", "credit_limit", "spent_this_month", "keys"],
  ...["sign_in", "terms_version", "email_verified", "last_seen", "created"],
];

const people = portalEndpoint({
  query: PeopleQuery,
  allow: "department_admin",
  GET: ({ actor, query }) => csvResponse("people.csv", HEADER, linesOf(actor, query)),
});

async function* linesOf(
  actor: Actor,
  { filter, sort }: Pick<Parameters<typeof listPeople>[2], "filter" | "sort">,
): AsyncGenerator<CsvCell[][], void, undefined> {
  let after: PeoplePage["next"] = null;
  do {
    const page: PeoplePage = await listPeople(db(), actor, { filter, sort, after, limit: PAGE });
    yield page.people.map(lineOf);
    after = page.next;
  } while (after !== null);
}

function lineOf(person: PersonView): CsvCell[] {
  const { budget, payer } = person;
  const limit = budget?.limitNanoUsd ?? null;
  return [
    ...[person.id, person.email, person.name, person.organisation, person.department, person.role, person.status],
    ...[payer.kind === "person" ? payer.email : payer.kind, person.billingExempt, person.billingMode],
    ...[limit === null ? null : formatUsd(limit), budget?.period ?? null, formatUsd(budget?.spentNanoUsd ?? 0n)],
    ...[formatUsd(budget?.heldNanoUsd ?? 0n), formatUsd(person.creditLimitNanoUsd), formatUsd(person.spentNanoUsd)],
    ...[person.keys, ["password", ...person.providers].join(" "), person.termsVersion, person.emailVerifiedAt],
    ...[person.lastSeenAt, person.createdAt],
  ];
}

export const loader = people;
export const action = people;
