import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { unstoredSecretOf } from "~/access/flash.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { config } from "~/config.server";
import { db } from "~/connection/db.server";
import { readRequest } from "~/domain/request-log/index.server";
import { usageScopeOf } from "~/domain/usage/index.server";
import { Button, LinkButton } from "~/ui/Button";
import type { PageHandle } from "~/ui/page-handle";
import { PageHeader, Section } from "~/ui/page-parts";
import { canSpend } from "../actor-facts.server";
import { ShownSecret } from "../keys/ShownSecret";
import { freeModel, sampleModels } from "../keys/sample-models.server";
import { curlWith } from "../keys/samples";
import type { Route } from "./+types/page";
import { readGetStarted } from "./facts.server";
import { StepList } from "./StepList";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer" }, async ({ actor, context }) => {
  const secret = unstoredSecretOf(context, actor);
  const view = await readGetStarted(db(), actor);
  const { baseUrl } = config();
  const { key, firstRequest } = view;
  const models = sampleModels(key ?? undefined);
  const free = key === null ? null : freeModel(key);
  const own = key !== null && secret?.kind === `key:${key.id}` ? secret.secret : null;
  const hint = key === null ? null : `${key.secretPrefix}…${key.secretLast4}`;
  return {
    /** The first request, with its held and charged amounts. */
    receipt:
      firstRequest === null
        ? null
        : await readRequest(db(), usageScopeOf({ ...actor, adminMode: false }), firstRequest.id),
    rootKey: secret?.kind === "rootAdminKey" ? secret.secret : null,
    secret: own,
    curl: key === null ? null : { hint, text: curlWith(baseUrl, free ?? models.chat, own ?? `${hint}`) },
    canSpend: await canSpend(db(), actor),
    hasFree: free !== null,
    ...view,
  };
});

const STATE = "/dashboard/get-started/state";

export default function GetStartedPage({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation(["getStarted", "navigation", "dashboard"]);
  const { steps, next, hidden, rootKey } = view;
  const done = steps.filter((step) => step.done).length;
  const isWaiting = view.firstRequest === null && view.key !== null;
  return (
    <>
      <PageHeader
        title={t("title")}
        sub={t("subtitle")}
        actions={
          <>
            <StepAction to="reset">{t("reset")}</StepAction>
            {hidden ? (
              <StepAction to="resume">{t("resume")}</StepAction>
            ) : (
              <StepAction to="hide">{t("hide")}</StepAction>
            )}
          </>
        }
      />
      {rootKey === null ? null : (
        <ShownSecret secret={rootKey} name={t("rootKey.label")} title={t("rootKey.title")} text={t("rootKey.text")} />
      )}
      {view.canSpend ? null : (
        <p className="mb-3.5 rounded-lg bg-held-soft px-3.5 py-2.5 text-held-ink">
          {t(view.hasFree ? "dashboard:alerts.noFundsSandbox" : "dashboard:alerts.noFunds")}
        </p>
      )}
      <div {...(isWaiting ? { "data-await": STATE, "data-await-field": "news", "data-await-known": view.news } : {})}>
        <Section
          title={t("progress", { done, all: steps.length })}
          aside={<Progress done={done} all={steps.length} />}
          flush
        >
          <StepList view={view} />
        </Section>
      </div>
      {next === null ? (
        <Section title={t("allDone")}>
          <div className="flex flex-wrap items-center justify-between gap-4">
            <p className="text-ink-2">{t("allDoneText")}</p>
            <LinkButton to={href("/dashboard")} kind="primary">
              {t("navigation:home")}
            </LinkButton>
          </div>
        </Section>
      ) : null}
    </>
  );
}

function StepAction({ to, children }: { to: string; children: string }) {
  return (
    <form method="post" action={`/dashboard/get-started/${to}`}>
      <Button kind="quiet" small>
        {children}
      </Button>
    </form>
  );
}

function Progress({ done, all }: { done: number; all: number }) {
  return (
    <svg width="120" height="8" aria-hidden="true" className="block rounded-full bg-sunken">
      <rect width={(120 * done) / Math.max(1, all)} height="8" rx="4" fill="var(--accent)" />
    </svg>
  );
}
