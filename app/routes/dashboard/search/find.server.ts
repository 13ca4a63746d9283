import type { Db } from "~/connection/db.server";
import { listHolds } from "~/domain/accounting/index.server";
import { type Actor, atLeast } from "~/domain/accounts/shared";
import { listActorKeys, nameKeys } from "~/domain/keys/index.server";
import { listOrganisations } from "~/domain/organisations/index.server";
import { NEWEST_ORGANISATIONS } from "~/domain/organisations/shared";
import { listPeople } from "~/domain/people/index.server";
import { PEOPLE_BY_EMAIL } from "~/domain/people/shared";
import { readRejectedRequests, readRequests } from "~/domain/request-log/index.server";
import { usageScopeOf } from "~/domain/usage/index.server";
import { shownModels } from "../../_public/catalogue-view/shown-models.server";
import { holdScopeOf } from "../actor-facts.server";
import { modelPath } from "../models/paths";
import { calledFirst } from "./called-first";
import { type CandidateKind, candidates } from "./candidates.server";

/** Maximum number of matches per kind. */
const EACH = 5;
const REQUEST_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** A match. `organisationId`: the admin view can be switched to this organisation. */
export type Found = {
  kind: "request" | "model" | CandidateKind;
  label: string;
  detail: string;
  to: string;
  organisationId?: number;
};

/**
 * Returns matches that an actor may see and whose name contains `text`: keys, models, and in the admin view people and
 * organisations; or the request whose id it contains. At most five of each kind; names that start with the text come
 * first.
 */
export async function findAnything(db: Db, actor: Actor, text: string): Promise<Found[]> {
  const requestId = REQUEST_ID.exec(text)?.[0];
  if (requestId !== undefined) return findRequest(db, actor, requestId);
  const results = await Promise.all([
    findKeys(db, actor, text),
    actor.adminMode && atLeast(actor.role, "department_admin") ? findPeople(db, actor, text) : [],
    actor.adminMode && atLeast(actor.role, "platform_admin") ? findOrganisations(db, actor, text) : [],
  ]);
  return calledFirst([...results.flat(), ...findModels(text)], text);
}

/**
 * Returns at most twenty matches of one kind that an actor may see and whose name contains `text`. Departments and
 * projects link to their requests.
 */
export async function findOfKind(db: Db, actor: Actor, kind: CandidateKind, text: string): Promise<Found[]> {
  const matches = await candidates(db, actor, kind, text);
  return matches.map(({ id, name, detail }) => ({ kind, label: name, detail, to: `${PATHS[kind]}${id}` }));
}

const PATHS: Record<CandidateKind, string> = {
  key: "/dashboard/keys/",
  person: "/dashboard/admin/users/",
  department: "/dashboard/request-log?department=",
  project: "/dashboard/request-log?project=",
  organisation: "/dashboard/admin/organisations/",
};

/** Returns the request with an id, if the actor may see it: finished, rejected, or in flight. */
async function findRequest(db: Db, actor: Actor, requestId: string): Promise<Found[]> {
  const query = { filter: { requestId }, beforeId: null, limit: EACH };
  const page = await readRequests(db, usageScopeOf(actor), query);
  if (page.requests.length === 0) return findRejected(db, actor, requestId);
  return page.requests.map(({ model, requestedModel, keyName }) => ({
    kind: "request",
    label: requestId,
    to: pathOf(requestId),
    detail: [model || requestedModel, keyName].filter(Boolean).join(" · "),
  }));
}

/** Same match as on its page: the burst of rejections that contains the request, or that was going on at its time. */
async function findRejected(db: Db, actor: Actor, requestId: string): Promise<Found[]> {
  const query = { filter: { requestId }, beforeId: null, limit: EACH };
  const { rejected } = await readRejectedRequests(db, usageScopeOf(actor), query);
  const [{ code, keyName, times } = { code: "", keyName: "", times: 0 }] = rejected;
  if (rejected.length === 0) return findInFlight(db, actor, requestId);
  return [
    {
      kind: "request",
      label: requestId,
      to: pathOf(requestId),
      detail: [times > 1 ? `${code} × ${times}` : code, keyName].filter(Boolean).join(" · "),
    },
  ];
}

const pathOf = (requestId: string) => `/dashboard/request-log/${requestId.toLowerCase()}`;

/** Returns the request with an id while it is in flight, if the actor may see it. */
export async function findInFlight(db: Db, actor: Actor, requestId: string): Promise<Found[]> {
  const { holds } = await listHolds(db, { ...holdScopeOf(actor), callId: requestId }, { limit: 1 });
  const names = await nameKeys(
    db,
    actor,
    holds.map(({ keyId }) => keyId),
  );
  return holds.map(({ keyId }) => ({
    kind: "request",
    label: requestId,
    to: `/dashboard/request-log?outcome=in_flight&request=${requestId}`,
    detail: names.get(keyId) ?? "",
  }));
}

async function findKeys(db: Db, actor: Actor, search: string): Promise<Found[]> {
  const sort = { by: "created", descending: true } as const;
  const { keys } = await listActorKeys(db, actor, { filter: { search }, sort, after: null, limit: EACH });
  return keys.map(({ id, name, owner, secretPrefix, secretLast4 }) => ({
    kind: "key",
    label: name,
    to: `/dashboard/keys/${id}`,
    detail: [`${secretPrefix}…${secretLast4}`, owner?.name].filter(Boolean).join(" · "),
  }));
}

async function findPeople(db: Db, actor: Actor, q: string): Promise<Found[]> {
  const { people } = await listPeople(db, actor, { filter: { q }, sort: PEOPLE_BY_EMAIL, after: null, limit: EACH });
  return people.map(({ id, name, email }) => ({
    kind: "person",
    label: name || email,
    detail: email,
    to: `/dashboard/admin/users/${id}`,
  }));
}

async function findOrganisations(db: Db, actor: Actor, q: string): Promise<Found[]> {
  const { organisations } = await listOrganisations(db, actor, {
    q,
    sort: NEWEST_ORGANISATIONS,
    after: null,
    limit: EACH,
  });
  return organisations.map(({ id, name, slug }) => ({
    kind: "organisation",
    label: name,
    detail: slug,
    to: `/dashboard/admin/organisations/${id}`,
    organisationId: id,
  }));
}

function findModels(text: string): Found[] {
  const needle = text.toLowerCase();
  return shownModels()
    .filter(({ id, isFault }) => !isFault && id.toLowerCase().includes(needle))
    .slice(0, EACH)
    .map(({ id, ownedBy }) => ({ kind: "model", label: id, detail: ownedBy, to: modelPath(id) }));
}
