import { useTranslation } from "react-i18next";
import { href, redirect } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { apiError } from "~/errors/app-error";
import { CopyText } from "~/ui/CopyText";
import { DateTime } from "~/ui/Figures";
import type { PageHandle } from "~/ui/page-handle";
import { Badge, Columns, PageHeader } from "~/ui/page-parts";
import { findRequest } from "../../search/find.server";
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

export const loader = pageLoader(
  { allow: "viewer", params: RequestParams },
  async ({ actor, params: { requestId } }) => {
    const view = await readRequestPage(db(), actor, requestId);
    if (view !== null) return view;
    // For a rejected or unfinished request, redirects to its entry in the log.
    const [elsewhere] = typeof requestId === "string" ? await findRequest(db(), actor, requestId) : [];
    if (elsewhere === undefined) throw apiError("not_found");
    throw redirect(elsewhere.to, 303);
  },
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
            {request.notCharged === "sandbox" ? <Badge>{t("notCharged")}</Badge> : null}
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
