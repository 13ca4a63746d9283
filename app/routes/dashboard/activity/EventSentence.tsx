import { Trans, useTranslation } from "react-i18next";
import { Link } from "react-router";
import { ROLES } from "~/domain/accounts/shared";
import type { AuditEventView } from "~/domain/activity/shared";
import { Money } from "~/ui/Figures";
import { isOneOf } from "~/values/one-of";
import { useActionLabels, useFieldLabels } from "./labels";
import { sentenceOf, type Value } from "./sentence";
import { type AuditReader, addressOfPerson, addressOfTarget } from "./target-address";

/** An audit event as a sentence in the reader's language, with links to the person and the target. */
export function EventSentence({ event, reader }: { event: AuditEventView; reader: AuditReader }) {
  const { t } = useTranslation("activity");
  const label = useActionLabels();
  const sentence = sentenceOf(event);
  const recorded = { actor: event.actorLabel || t("nobody"), target: useTargetName(event) };
  const nameOf = (id: number | null) => (id === null ? undefined : reader.names?.[id]);
  const actor = (
    <Named
      to={addressOfPerson(event.actorId, reader)}
      name={nameOf(event.actorId) ?? recorded.actor}
      recorded={recorded.actor}
    />
  );
  const subject = event.targetKind === "user" ? nameOf(Number(event.targetId)) : undefined;
  const target = (
    <Named to={addressOfTarget(event, reader)} name={subject ?? recorded.target} recorded={recorded.target} />
  );
  if (sentence === null) {
    return (
      <>
        {actor} · {label(event.action)} · {target}
      </>
    );
  }
  return (
    <Trans
      t={t}
      i18nKey={`sentences.${sentence.key}` as "sentences.key.create"}
      components={{
        actor,
        target,
        before: <Shown value={sentence.before} />,
        after: <Shown value={sentence.after} />,
        detail: <Shown value={sentence.detail} />,
      }}
    />
  );
}

const isRole = isOneOf(ROLES);

function useTargetName({ targetKind, targetId, targetLabel }: AuditEventView): string {
  const { t } = useTranslation("activity");
  const translate = t as unknown as (key: string, options: { defaultValue: string }) => string;
  if (targetLabel !== "") return targetLabel;
  return t("unnamed", { kind: translate(`kinds.${targetKind}`, { defaultValue: targetKind }), id: targetId });
}

/** A name; the recorded text is in its tooltip if it differs. */
function Named({ to, name, recorded }: { to: string | null; name: string; recorded: string }) {
  const className = "font-strong wrap-anywhere";
  const title = name === recorded ? undefined : recorded;
  return to === null ? (
    <b className={className} title={title}>
      {name}
    </b>
  ) : (
    <Link to={to} className={`${className} link`} title={title}>
      {name}
    </Link>
  );
}

function Shown({ value }: { value: Value | undefined }) {
  const { t } = useTranslation("ui");
  const fields = useFieldLabels();
  if (value === undefined) return null;
  if (value.kind === "money") return <Money nano={value.nanoUsd} />;
  if (value.kind === "role")
    return <b className="font-strong">{isRole(value.role) ? t(`roles.${value.role}`) : value.role}</b>;
  if (value.kind === "fields") return <>{value.names.map(fields).join(", ")}</>;
  return <b className="font-strong wrap-anywhere">{value.text}</b>;
}
