import { useTranslation } from "react-i18next";
import { requireRecentProof } from "~/access/actor.server";
import { pageAnswer } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { readAdminCatalogue } from "~/domain/catalogue/index.server";
import type { FormValues } from "~/ui/forms/portal-form";
import type { PageHandle } from "~/ui/page-handle";
import { PageHeader } from "~/ui/page-parts";
import { PriceForm } from "../../models/price-form.schema";
import { type EditedPrice, SetPrice } from "../../models/SetPrice";
import { ADMIN_MODELS } from "../../models/shared";
import type { Route } from "./+types/page";
import { Review } from "./Review";
import { reviewPrice } from "./review.server";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "platform_admin" }, async () => {
  const { suppliers } = await readAdminCatalogue(db());
  return suppliers.filter(({ source }) => source === "portal").map(({ id, name }) => ({ id, name }));
});

/** Previews the changes of a price. The form beside the preview applies them. */
export const action = pageAnswer({ allow: "platform_admin", body: PriceForm }, ({ body, context }) => {
  // Required before the preview, so that an identity check restores the form as it was filled in.
  requireRecentProof(context);
  return reviewPrice(db(), body);
});

export default function ReviewPrice({ loaderData: suppliers, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("adminModels");
  const refused = actionData?.form ?? null;
  const review = actionData?.form === null ? actionData.answer : null;
  const sent = review?.sent ?? refused?.sent ?? null;
  return (
    <>
      <PageHeader
        back={{ to: `${ADMIN_MODELS}?tab=prices`, label: t("tab.prices") }}
        title={review === null ? t("price.title") : t("review.title", { name: review.name })}
        sub={t("review.sub")}
      />
      {review === null ? null : <Review of={review} />}
      <SetPrice suppliers={suppliers} editing={sent === null ? null : editedOf(sent, suppliers)} refused={refused} />
    </>
  );
}

/** Restores the submitted form. A form that was filled in from a price keeps editing that price. */
function editedOf(sent: FormValues, suppliers: readonly { id: number; name: string }[]): EditedPrice {
  const supplier = suppliers.find(({ id }) => String(id) === sent.supplier_id)?.name ?? "";
  return {
    // A `datetime-local` field has no zone; the form is read as UTC.
    values: { ...sent, from: (sent.from ?? "").slice(0, 16) },
    name: `${sent.model ?? ""} · ${supplier}`,
    hasLongRoom: !sent.base || "long_1_above" in sent,
    longTiers: [],
    isNew: !sent.base,
  };
}
