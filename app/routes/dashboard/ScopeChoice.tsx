import { ArrowRightLeft, Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { type Actor, atLeast } from "~/domain/accounts/shared";
import { Button } from "~/ui/Button";

/** For admins: choice between their own data and the scope of their role, and of the organisation. */
export function ScopeChoice({
  actor,
  organisations,
}: {
  actor: Actor;
  organisations: readonly { id: number; name: string }[];
}) {
  const { t } = useTranslation("ui");
  const isPlatform = atLeast(actor.role, "platform_admin");
  return (
    <>
      <form method="post" action={href("/dashboard/toggle-admin-mode")}>
        <button type="submit" className="shell-search w-full" aria-pressed={actor.adminMode}>
          <ArrowRightLeft size={14} aria-hidden="true" /> {actor.adminMode ? t("adminView") : t("ownView")}
        </button>
      </form>
      {isPlatform && actor.adminMode ? (
        <form
          method="post"
          action={href("/dashboard/set-admin-org")}
          autoComplete="off"
          data-submit-on-change=""
          className="flex gap-1.5"
        >
          <select
            name="org_id"
            aria-label={t("organisation")}
            className="field field-select min-w-0"
            defaultValue={actor.adminOrganisationId ?? ""}
          >
            <option value="">{t("allOrganisations")}</option>
            {organisations.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <Button small aria-label={t("change")} title={t("change")} className="without-script">
            <Check size={14} aria-hidden="true" />
          </Button>
        </form>
      ) : null}
    </>
  );
}
