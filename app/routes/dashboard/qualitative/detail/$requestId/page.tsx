import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { z } from "zod";
import { pageLoader } from "~/access/portal/page-loader.server";
import { LinkButton } from "~/ui/Button";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";

export const handle: PageHandle = { hydrate: false };

// The same answer for every id, without a lookup, so it does not reveal whether the request exists.
export const loader = pageLoader({ allow: "viewer", params: z.object({ requestId: z.string().max(200) }) }, () => ({
  available: false,
}));

export default function QualityDetail() {
  const { t } = useTranslation("quality");
  return (
    <>
      <PageHeader title={t("detail.title")} back={{ to: href("/dashboard/qualitative"), label: t("title") }} />
      <Section title={t("detail.heading")}>
        <EmptyState
          title={t("detail.unavailable")}
          action={<LinkButton to={href("/dashboard/request-log")}>{t("detail.ownRequests")}</LinkButton>}
        >
          {t("detail.why")}
        </EmptyState>
      </Section>
    </>
  );
}
