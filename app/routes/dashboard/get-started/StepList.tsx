import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { href } from "react-router";
import type { RequestDetail } from "~/domain/request-log/shared";
import { Button, LinkButton } from "~/ui/Button";
import { CodeSample } from "~/ui/CodeSample";
import { classNames } from "~/ui/class-names";
import { ShownSecret } from "../keys/ShownSecret";
import type { GetStarted } from "./facts.server";
import { Receipt } from "./Receipt";
import { Rejected } from "./Rejected";
import type { Step, StepName } from "./steps";

type View = GetStarted & {
  receipt: RequestDetail | null;
  curl: { hint: string | null; text: string } | null;
  /** The secret of the key, if it is still available. */
  secret: string | null;
  rootKey: string | null;
};

const LINKS: Readonly<Partial<Record<StepName, string>>> = {
  guide: "/dashboard/guide",
  invite: "/dashboard/admin/users/invite",
  supplier: "/guide#production",
};

/** The steps in order: finished steps are short, the next one has instructions. */
export function StepList({ view }: { view: View }) {
  return (
    <ol className="divide-y divide-line">
      {view.steps.map((step, index) => (
        <StepRow key={step.name} step={step} number={index + 1} view={view} />
      ))}
    </ol>
  );
}

function StepRow({ step, number, view }: { step: Step; number: number; view: View }) {
  const { t } = useTranslation("getStarted");
  const { name, done, markable } = step;
  const isNext = view.next === name;
  return (
    <li className="grid grid-cols-mark gap-x-3.5 px-4 py-4" data-step={name} data-done={done || undefined}>
      <span
        className={classNames(
          "mt-px inline-flex size-6 items-center justify-center rounded-full border font-strong text-2xs tabular-nums",
          done
            ? "border-accent bg-accent text-accent-ink"
            : isNext
              ? "border-accent text-accent"
              : "border-line-strong text-ink-3",
        )}
      >
        {done ? <Check size={14} aria-hidden="true" /> : number}
        {done ? <span className="sr-only">{t("done")}</span> : null}
      </span>
      <div className="grid min-w-0 gap-1">
        <h3 className={classNames("text-md", done && "text-ink-2")}>{t(`steps.${name}.title`)}</h3>
        {done ? (
          <div className="text-ink-2">
            <WhatIsDone name={name} view={view} />
          </div>
        ) : (
          <>
            <p className="max-w-text text-ink-2">{t(`steps.${name}.text`)}</p>
            {name === "key" ? <FirstKey view={view} /> : null}
            {name === "request" ? <FirstRequest view={view} /> : null}
            <Acts name={name} view={view} isNext={isNext} markable={markable} />
          </>
        )}
        {done && markable ? <UnmarkIfMarked name={name} /> : null}
      </div>
    </li>
  );
}

function WhatIsDone({ name, view: { key, secret, receipt } }: { name: StepName; view: View }): ReactNode {
  const { t } = useTranslation("getStarted");
  if (name === "key") {
    return (
      <>
        {t("steps.key.done", { name: key?.name ?? "" })}
        {secret === null ? null : (
          <div className="mt-3">
            <ShownSecret secret={secret} name={key?.name ?? ""} />
          </div>
        )}
      </>
    );
  }
  if (name !== "request" || receipt === null) return t(`steps.${name as "verify"}.done`);
  return <Receipt of={receipt} />;
}

/**
 * A first key needs only a name. The page shows one secret at a time: while the root admin key is shown, the button says
 * that it is stored.
 */
function FirstKey({ view: { rootKey } }: { view: View }) {
  const { t } = useTranslation("getStarted");
  return (
    <form method="post" action={href("/dashboard/get-started/key")} className="mt-2 flex flex-wrap items-end gap-2">
      <label className="grid gap-1">
        <span className="text-xs text-ink-2">{t("steps.key.name")}</span>
        <input
          name="name"
          defaultValue={t("steps.key.suggestion")}
          required
          maxLength={200}
          autoComplete="off"
          className="field sm:w-64"
        />
      </label>
      <Button kind="primary">{t(rootKey === null ? "steps.key.act" : "steps.key.actStored")}</Button>
      {rootKey === null ? (
        <LinkButton to={href("/dashboard/keys/new")} kind="quiet">
          {t("steps.key.more")}
        </LinkButton>
      ) : (
        <p className="basis-full text-ink-3">{t("steps.key.storeFirst")}</p>
      )}
    </form>
  );
}

function FirstRequest({ view: { curl, secret, rejected } }: { view: View }) {
  const { t } = useTranslation("getStarted");
  if (curl === null) return <p className="text-ink-3">{t("steps.request.needKey")}</p>;
  return (
    <div className="mt-2 grid gap-2.5">
      <CodeSample name="curl" id="first-request" text={curl.text} />
      {rejected === null ? null : <Rejected rejected={rejected} />}
      {secret === null ? (
        <p className="text-ink-3">{t("steps.request.placeholder", { hint: curl.hint ?? "" })}</p>
      ) : null}
      <p className="flex flex-wrap items-center gap-3 text-ink-2" role="status">
        <span aria-hidden="true" className="waiting-dot" />
        {t(rejected === null ? "steps.request.waiting" : "steps.request.waitingAgain")}
        <a href={href("/dashboard/get-started")} className="link">
          {t("steps.request.check")}
        </a>
      </p>
    </div>
  );
}

function Acts({ name, view, isNext, markable }: { name: StepName; view: View; isNext: boolean; markable: boolean }) {
  const { t } = useTranslation("getStarted");
  const to = name === "budget" && view.key ? `/dashboard/keys/${view.key.id}#policy` : LINKS[name];
  if (to === undefined && !markable) return null;
  return (
    <div className="mt-1.5 flex flex-wrap items-center gap-2">
      {to === undefined ? null : (
        <LinkButton to={to} small kind={isNext ? "primary" : "plain"} document={to.startsWith("/guide")}>
          {t(`steps.${name as "key"}.act`)}
        </LinkButton>
      )}
      {markable ? <Mark name={name} done /> : null}
    </div>
  );
}

const UnmarkIfMarked = ({ name }: { name: StepName }) =>
  name === "guide" ? (
    <div>
      <Mark name={name} done={false} />
    </div>
  ) : null;

function Mark({ name, done }: { name: StepName; done: boolean }) {
  const { t } = useTranslation("getStarted");
  return (
    <form method="post" action={href("/dashboard/get-started/action")}>
      <input type="hidden" name="step" value={name} />
      <input type="hidden" name="done" value={String(done)} />
      <Button small kind="quiet">
        {t(done ? "markDone" : "unmark")}
      </Button>
    </form>
  );
}
