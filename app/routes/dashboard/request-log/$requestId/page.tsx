import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/db.server";
import { CopyText } from "~/ui/CopyText";
import { DateTime } from "~/ui/Figures";
import type { PageHandle } from "~/ui/page-handle";
import { Badge, Columns, PageHeader } from "~/ui/page-parts";
import { OutcomeBadge } from "../OutcomeBadge";
import { RequestParams } from "../query.server";
import { readRequestPage } from "../view.server";
import type { Route } from "./+types/page";
import { Attempts } from "./Attempts";
import { Facts } from "./Facts";
import { Guardrails, GuardrailWebhooks } from "./Guardrails";
import { MoneyOfRequest } from "./MoneyOfRequest";
import { Routing } from "./Routing";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer", params: RequestParams }, ({ actor, params }) =>
  readRequestPage(db(), actor, params.requestId),
);

export default function RequestPage({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("requestLog");
  const { request } = view;
  return (
    <>
      <PageHeader
        title={t("detail.title")}
        back={{ to: href("/dashboard/request-log"), label: t("title") }}
        sub={
          <>
            <DateTime at={request.startedAt} /> · <CopyText text={request.requestId} what={t("filter.request")} />
          </>
        }
        tags={
          <>
            <OutcomeBadge request={request} />
            {request.attempts > 1 ? <Badge kind="held">{t("attempts", { count: request.attempts })}</Badge> : null}
          </>
        }
      />
      <MoneyOfRequest view={view} />
      <Attempts request={request} />
      <Guardrails hits={view.guardrails} />
      <GuardrailWebhooks notes={view.webhooks} />
      <Columns>
        <Routing routing={view.routing} request={request} />
        <Facts view={view} />
      </Columns>
    </>
  );
}
