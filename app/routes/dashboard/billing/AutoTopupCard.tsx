import { useTranslation } from "react-i18next";
import { href } from "react-router";
import type { AutoTopupView } from "~/domain/billing/shared";
import { Button } from "~/ui/Button";
import { DateTime } from "~/ui/Figures";
import type { RefusedValues } from "~/ui/forms/portal-form";
import { Badge, Section } from "~/ui/page-parts";
import { AutoTopupFields } from "./AutoTopupFields";
import { AutoTopupState } from "./AutoTopupState";

type Props = { view: AutoTopupView | null; refused: RefusedValues | null };

/** Auto top-up of the wallet: state, settings, and the button to stop it. */
export function AutoTopupCard({ view, refused }: Props) {
  const { t } = useTranslation("autoTopup");
  if (view === null) return null;
  const isOn = view.consent !== null;
  const isPaused = view.pause !== null;
  const runs = view.wait === "due" || view.wait === "idle" || view.wait === "open";
  const isApproved = view.policy?.approved === true;
  const mayChange = isApproved && view.wait !== "no_processor";
  const hasCard = view.card !== null;
  return (
    <Section
      title={t("title")}
      id="auto-topup"
      aside={
        <Badge kind={isOn || isPaused ? (runs ? "good" : "held") : "plain"}>
          {isOn || isPaused ? (runs ? t("on") : t("paused")) : t("off")}
        </Badge>
      }
    >
      <div className="grid gap-4">
        {view.pause === null ? (
          <p className="text-ink-2">{isOn ? t(`wait.${view.wait}`) : t("text")}</p>
        ) : (
          <PauseNote pause={view.pause} />
        )}
        <AutoTopupState view={view} />
        {isOn || isPaused ? <SwitchOff /> : null}
        {!isOn && !isApproved ? <p className="text-ink-2">{t("wait.no_policy")}</p> : null}
        {mayChange && !hasCard ? <NeedsCard /> : null}
        {mayChange && hasCard && isOn ? (
          <details open={refused !== null}>
            <summary className="cursor-pointer font-strong">{t("change")}</summary>
            <div className="pt-4">
              <AutoTopupFields view={view} refused={refused} />
            </div>
          </details>
        ) : null}
        {mayChange && hasCard && !isOn ? <AutoTopupFields view={view} refused={refused} /> : null}
      </div>
    </Section>
  );
}

/** The reason for a pause, and the way to resume. */
function PauseNote({ pause }: { pause: NonNullable<AutoTopupView["pause"]> }) {
  const { t } = useTranslation("autoTopup");
  return (
    <div role="status" className="grid gap-1">
      <p className="font-strong">{t(`pause.${pause.reason}`)}</p>
      <p className="text-ink-2">{t("pauseHint")}</p>
      <p className="text-ink-3">
        {t("pausedSince")} <DateTime at={pause.at} />
      </p>
    </div>
  );
}

function SwitchOff() {
  const { t } = useTranslation("autoTopup");
  return (
    <form method="post" action={href("/api/billing/auto-topup")}>
      <input type="hidden" name="active" value="false" />
      <Button small>{t("switchOff")}</Button>
    </form>
  );
}

function NeedsCard() {
  const { t } = useTranslation(["autoTopup", "billing"]);
  return (
    <form method="post" action={href("/api/billing/payment-methods/setup")} className="grid justify-items-start gap-3">
      <p className="text-ink-2">{t("needsCard")}</p>
      <Button small>{t("billing:cards.add")}</Button>
    </form>
  );
}
