import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import type { RoutedSum } from "~/domain/usage/shared";
import { settingAnswer } from "../autorouter/setting.server";
import { AutorouterQuery, readAutorouter } from "../autorouter/view.server";

type View = Awaited<ReturnType<typeof readAutorouter>>;

const autorouter = portalEndpoint({
  query: AutorouterQuery,
  allow: "viewer",
  GET: async ({ actor, query }) => answerOf(await readAutorouter(db(), actor, query)),
});

const money = ({ chargedNanoUsd, defaultNanoUsd }: Pick<RoutedSum, "chargedNanoUsd" | "defaultNanoUsd">) => ({
  charged_usd: chargedNanoUsd,
  default_usd: defaultNanoUsd,
  saved_usd: defaultNanoUsd - chargedNanoUsd,
});

const answerOf = (view: View) => ({
  days: view.days,
  from: view.from,
  to: view.to,
  requests: view.report.requests,
  ...money(view.report),
  eligible_requests: view.report.eligible,
  overridden_requests: view.report.overridden,
  override_rate: view.report.eligible === 0 ? null : view.report.overridden / view.report.eligible,
  groups: view.report.sums.map((sum) => ({
    model: sum.model,
    algorithm: sum.algorithm,
    default_model: sum.defaultModel,
    requests: sum.requests,
    ...money(sum),
  })),
  bins: view.report.days.map(({ day, requests, savedNanoUsd }) => ({ start: day, requests, saved_usd: savedNanoUsd })),
  data: view.requests.map((request) => ({
    id: Number(request.id),
    request_id: request.requestId,
    started_at: request.startedAt,
    key_id: request.keyId,
    key: request.keyName,
    model: request.model,
    algorithm: request.algorithm,
    default_model: request.defaultModel,
    ...money(request),
  })),
  next_before: view.next,
  user: settingAnswer(view.user),
  organisation: settingAnswer(view.organisation),
  keys: view.keys.map(({ id, name, setting, effective }) => ({
    id,
    name,
    ...settingAnswer(setting),
    effective: {
      autorouter: effective.algorithm,
      from: effective.algorithmFrom,
      default_model: effective.defaultModel,
      default_from: effective.defaultFrom,
    },
  })),
});

export const loader = autorouter;
export const action = autorouter;
