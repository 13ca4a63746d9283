import { useTranslation } from "react-i18next";
import { DateTime } from "~/ui/Figures";
import { Badge } from "~/ui/page-parts";
import type { ShownModel } from "../../_public/catalogue-view/shared";

type Fate = Pick<ShownModel, "lifecycle" | "retiresAt">;

/** Capabilities, lifecycle and data retention of a model, as stated in the catalogue. */
export function ModelBadges({ model }: { model: ShownModel }) {
  const { t } = useTranslation("modelPages");
  return (
    <>
      <Badge kind="info">{t(`capability.${model.capability}`)}</Badge>
      {model.tools ? <Badge>{t("tools")}</Badge> : null}
      {model.images ? <Badge>{t("images")}</Badge> : null}
      {model.zeroDataRetention === "none" ? null : (
        <Badge kind="good" title={t(`zdr.${model.zeroDataRetention}`)}>
          {t("zdr.badge")}
        </Badge>
      )}
      <LifecycleBadges model={model} />
    </>
  );
}

/** Lifecycle of a model: preview or deprecated, and its retirement date. */
export function LifecycleBadges({ model: { lifecycle, retiresAt } }: { model: Fate }) {
  const { t } = useTranslation("modelPages");
  return (
    <>
      {lifecycle === null ? null : (
        <Badge kind={lifecycle === "preview" ? "plain" : "held"} title={t(`lifecycle.${lifecycle}Text`)}>
          {t(`lifecycle.${lifecycle}`)}
        </Badge>
      )}
      {retiresAt === null ? null : (
        <Badge kind={new Date(retiresAt) > new Date() ? "held" : "bad"}>
          {t(new Date(retiresAt) > new Date() ? "lifecycle.retires" : "lifecycle.retired")}{" "}
          <DateTime at={retiresAt} dateOnly />
        </Badge>
      )}
    </>
  );
}
