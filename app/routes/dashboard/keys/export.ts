import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { eachActorKey } from "~/domain/keys/index.server";
import { SETTING_COLUMNS, settingCells } from "~/domain/keys/shared";
import { lastUses } from "~/domain/request-log/index.server";
import { keyUseSince } from "~/domain/usage/index.server";
import { csvResponse } from "~/http/body/csv";
import type { CsvCell } from "~/values/csv";
import { formatUsd } from "~/values/money";
import { KeyListQuery } from "./list-query.server";

const MONTH_MS = 30 * 86_400_000;

const FIRST = [
  ...["id", "key_id", "name", "kind", "hint", "status", "holder", "department", "project", "organisation"],
  ...["budget_limit", "budget_period", "budget_spent", "budget_held", "resets_at", "rate_limit_rpm", "allowed_models"],
  ...["allowed_regions", "spend_30_days", "requests_30_days", "last_used", "created", "created_by", "expires_at"],
];
const LATER = SETTING_COLUMNS.filter((name) => !FIRST.includes(name));

const keys = portalEndpoint({
  query: KeyListQuery,
  allow: "signed-in",
  GET: ({ actor, query }) => csvResponse("keys.csv", [...FIRST, ...LATER], linesOf(actor, query)),
});

async function* linesOf(
  actor: Actor,
  { filter, sort }: Parameters<typeof eachActorKey>[2],
): AsyncGenerator<CsvCell[][], void, undefined> {
  for await (const page of eachActorKey(db(), actor, { filter, sort })) {
    const ids = page.map(({ id }) => id);
    const [uses, spent] = await Promise.all([
      lastUses(db(), ids),
      keyUseSince(db(), ids, new Date(Date.now() - MONTH_MS)),
    ]);
    yield page.map((key) => {
      const { budget } = key;
      const limit = budget?.limitNanoUsd ?? null;
      const use = spent.get(key.id);
      const settings = settingCells(key);
      return [
        ...[key.id, key.publicId, key.name, key.kind, `${key.secretPrefix}…${key.secretLast4}`, key.status],
        ...[key.owner?.email ?? null, key.department?.name ?? null, key.project?.name ?? null, key.organisation.name],
        ...[limit === null ? null : formatUsd(limit), budget?.period ?? null, formatUsd(budget?.spentNanoUsd ?? 0n)],
        ...[formatUsd(budget?.heldNanoUsd ?? 0n), budget?.resetsAt ?? null, settings.rate_limit_rpm],
        ...[settings.allowed_models, settings.allowed_regions, formatUsd(use?.chargedNanoUsd ?? 0n)],
        ...[use?.requests ?? 0, uses.get(key.id) ?? null, key.createdAt, key.createdBy, settings.expires_at],
        ...LATER.map((name) => settings[name]),
      ];
    });
  }
}

export const loader = keys;
export const action = keys;
