import { useTranslation } from "react-i18next";
import { refusedFormOf } from "~/access/flash.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { atLeast } from "~/domain/accounts/shared";
import { readAuditEvents } from "~/domain/activity/index.server";
import { type PersonDetail, readPerson } from "~/domain/people/index.server";
import { BudgetGauge } from "~/ui/BudgetGauge";
import { CopyText } from "~/ui/CopyText";
import { Count, DateTime, Money, RelativeTime } from "~/ui/Figures";
import { PayerReason } from "~/ui/PayerReason";
import { Columns, DetailList, PageHeader, Section } from "~/ui/page-parts";
import { AuditEventList } from "../../../activity/AuditEventList";
import { peopleNamed } from "../../../activity/people-named.server";
import { UserParams } from "../../fields";
import { RoleBadge, StatusBadge } from "../../PersonBadges";
import type { Route } from "./+types/page";
import { DangerZone } from "./DangerZone";
import { PersonForms } from "./PersonForms";

const ACTS_SHOWN = 10;

export const loader = pageLoader(
  { allow: "department_admin", params: UserParams },
  async ({ actor, params, context }) => {
    const detail = await readPerson(db(), actor, params.userId);
    // Events in a person's earlier organisation are not shown to their current one.
    const organisationId = atLeast(actor.role, "platform_admin") ? undefined : detail.person.organisationId;
    const about = { targetKind: "user", targetId: String(params.userId), organisationId, limit: ACTS_SHOWN };
    const events = await readAuditEvents(db(), about);
    const refused = refusedFormOf(context, (action) => action.startsWith(`/dashboard/admin/users/${params.userId}/`));
    return {
      ...detail,
      acts: events,
      refused,
      isSelf: actor.userId === params.userId,
      reader: { role: actor.role, userId: actor.userId, names: await peopleNamed(db(), actor, events) },
    };
  },
);

export default function Person({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("admin");
  const { person, isSelf, allowed, acts: events, reader } = view;
  const changeable = allowed.length > 1;
  return (
    <>
      <PageHeader
        back={{ to: "/dashboard/admin/users", label: t("person.back") }}
        title={person.name || t("person.unnamed")}
        sub={<CopyText text={person.email} what={person.email} />}
        tags={
          <>
            <RoleBadge role={person.role} /> <StatusBadge status={person.status} />
          </>
        }
      />
      {person.status !== "deleted" && person.emailVerifiedAt === null ? <Note>{t("person.unconfirmed")}</Note> : null}
      {person.status === "deleted" ? <Note>{t("person.deleted")}</Note> : null}
      {isSelf ? <Note>{t("person.yourself")}</Note> : null}
      {!changeable && !isSelf && person.status !== "deleted" ? <Note>{t("person.readOnly")}</Note> : null}
      {person.status === "suspended" || person.status === "archived" ? (
        <Note>{t(`person.status.${person.status}`)}</Note>
      ) : null}
      <Columns>
        <div>
          {changeable ? <PersonForms view={view} /> : null}
          <Section title={t("person.trail")} flush>
            <AuditEventList acts={events} reader={reader} name="person-acts" />
          </Section>
        </div>
        <div className="order-first lg:order-last">
          <Facts view={view} />
          <DangerZone view={view} />
        </div>
      </Columns>
    </>
  );
}

function Note({ children }: { children: React.ReactNode }) {
  return <p className="mb-3.5 rounded-lg border border-line bg-sunken px-3.5 py-2.5 text-ink-2">{children}</p>;
}

function Facts({ view }: { view: PersonDetail }) {
  const { t } = useTranslation("admin");
  const { person, wallet } = view;
  const { payer, payerReason, budget } = person;
  return (
    <Section title={t("person.facts")}>
      {budget === null ? null : (
        <div className="mb-4">
          <BudgetGauge spentNano={budget.spentNanoUsd} heldNano={budget.heldNanoUsd} limitNano={budget.limitNanoUsd} />
        </div>
      )}
      <DetailList
        rows={[
          [t("people.col.organisation"), person.organisation],
          [t("people.col.department"), person.department ?? "–"],
          [
            t("people.col.billing"),
            <span key="payer" className="grid justify-items-end">
              {payer.kind === "person" ? payer.email : t(`people.payer.${payer.kind}`)}
              <PayerReason reason={payerReason} exempt={payer.kind === "nobody"} />
            </span>,
          ],
          [t("people.col.spent"), <Money key="spent" nano={person.spentNanoUsd} />],
          [
            t("person.wallet"),
            wallet === null ? (
              t("person.noWallet")
            ) : (
              <span key="wallet" className="grid justify-items-end">
                <Money nano={wallet.postedNanoUsd} />
                {wallet.heldNanoUsd > 0n ? <HeldNote nano={wallet.heldNanoUsd} /> : null}
              </span>
            ),
          ],
          [t("people.col.credit"), <Money key="credit" nano={person.creditLimitNanoUsd} />],
          [t("people.col.keys"), <Count key="keys" value={person.keys} />],
          [
            t("people.col.linked"),
            person.providers.length === 0 ? t("people.filter.passwordOnly") : person.providers.join(", "),
          ],
          [t("people.col.terms"), person.termsVersion ?? t("common.never")],
          [
            t("person.verified"),
            person.emailVerifiedAt === null ? "–" : <DateTime key="verified" at={person.emailVerifiedAt} dateOnly />,
          ],
          [t("people.col.seen"), <RelativeTime key="seen" at={person.lastSeenAt} never={t("common.never")} />],
          [t("people.col.created"), <DateTime key="created" at={person.createdAt} dateOnly />],
        ]}
      />
    </Section>
  );
}

function HeldNote({ nano }: { nano: bigint }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-xs text-ink-3">
      <i aria-hidden="true" className="hatch inline-block size-dot rounded-xs" />
      <Money nano={nano} />
    </span>
  );
}
