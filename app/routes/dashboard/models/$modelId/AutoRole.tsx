import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import type { AutoRole as Role } from "~/domain/routing/shared";
import { DetailList } from "~/ui/page-parts";

/** The role of the model for `auto` requests; null: none. */
export function AutoRole({ role }: { role: Role | null }) {
  const { t } = useTranslation("modelPages");
  if (role === null) return <p className="text-ink-2">{t("auto.none")}</p>;
  return (
    <>
      <DetailList
        rows={[
          [t("auto.plain"), t("auto.yes")],
          [t("auto.tools"), t(`auto.${role.tools}`)],
          [t("auto.images"), t(`auto.${role.images}`)],
          [t("auto.quality"), role.quality === null ? t("auto.byPrice") : `${role.quality} / 100`],
        ]}
      />
      <p className="mt-3">
        <Link to={href("/dashboard/autorouter/dry-run")} className="link">
          {t("auto.dryRun")}
        </Link>
      </p>
    </>
  );
}
