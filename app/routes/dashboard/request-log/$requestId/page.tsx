import { useTranslation } from "react-i18next";
import { href, redirect } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { portalOf } from "~/access/portal-of.server";
import { db } from "~/connection/db.server";
import { apiError } from "~/errors/app-error";
import { LinkButton } from "~/ui/Button";
import { DateTime } from "~/ui/Figures";
import type { PageHandle } from "~/ui/page-handle";
import { Badge, Columns, PageHeader } from "~/ui/page-parts";
import { findInFlight } from "../../search/find.server";
import { OutcomeBadge } from "../OutcomeBadge";
import { RequestParams } from "../query.server";
import { readRejectionPage } from "../rejection.server";
import { type RequestView, readRequestPage } from "../view.server";
import type { Route } from "./+types/page";
import { Attempts } from "./Attempts";
import { Explained } from "./Explained";
import { Facts } from "./Facts";
import { Guardrails, GuardrailWebhooks } from "./Guardrails";
import { MoneyOfRequest } from "./MoneyOfRequest";
import { Rejection } from "./Rejection";
import { RequestIdLine } from "./RequestIdLine";
import { Routing } from "./Routing";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader(
  { allow: "viewer", params: RequestParams },
  async ({ actor, request, params: { requestId } }) => {
    const view = await readRequestPage(db(), actor, requestId);
    const { origin } = await portalOf(request);
    const pathOf = (id: string) => href("/dashboard/request-log/:requestId", { requestId: id });
    if (typeof requestId === "bigint") {
      if (view === null) throw apiError("not_found");
      throw redirect(pathOf(view.request.requestId), 301);
    }
    const address = `${origin}${pathOf(requestId)}`;
    if (view !== null) return { ...view, kind: "finished" as const, address };
    const rejection = await readRejectionPage(db(), actor, requestId);
    if (rejection !== null) return { ...rejection, kind: "rejected" as const, address };
    const [unfinished] = await findInFlight(db(), actor, requestId);
    if (unfinished === undefined) throw apiError("not_found");
    throw redirect(unfinished.to, 303);
  },
);

export default function RequestPage({ loaderData: view }: Route.ComponentProps) {
  return view.kind === "rejected" ? <Rejection view={view} address={view.address} /> : <Finished view={view} />;
}

function Finished({ view }: { view: RequestView & { address: string } }) {
  const { t } = useTranslation("requestLog");
  const { request } = view;
  return (
    <>
      <PageHeader
        title={t("detail.title")}
        back={{ to: href("/dashboard/request-log"), label: t("title") }}
        sub={
          <>
            <DateTime at={request.startedAt} /> · <RequestIdLine id={request.requestId} address={view.address} />
          </>
        }
        actions={
          view.mayTryAgain ? (
            <LinkButton to={`${href("/dashboard/playground")}?request=${request.requestId}`} small document>
              {t("page.tryAgain")}
            </LinkButton>
          ) : null
        }
        tags={
          <>
            <OutcomeBadge request={request} />
            {request.notCharged === "sandbox" ? <Badge>{t("notCharged")}</Badge> : null}
            {request.attempts > 1 ? <Badge kind="held">{t("attempts", { count: request.attempts })}</Badge> : null}
          </>
        }
      />
      <Explained request={request} />
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
