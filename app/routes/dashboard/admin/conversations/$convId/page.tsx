import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { z } from "zod";
import { pageAction } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { deleteConversation, readConversation } from "~/domain/conversations/index.server";
import type { TurnView } from "~/domain/conversations/shared";
import { Id } from "~/http/body/fields";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { DialogButton } from "~/ui/Dialog";
import { DateTime } from "~/ui/Figures";
import type { PageHandle } from "~/ui/page-handle";
import { DetailList, PageHeader, Section } from "~/ui/page-parts";
import type { Route } from "./+types/page";

export const handle: PageHandle = { hydrate: false };

const PAGE = "/dashboard/admin/conversations";
const params = z.object({ convId: Id });

export const loader = pageLoader({ allow: "org_admin", params }, ({ actor, params: { convId } }) =>
  readConversation(db(), actor, convId),
);

export const action = pageAction(
  { allow: "org_admin", params, body: z.strictObject({ act: z.literal("delete") }) },
  async ({ actor, params: { convId } }) => {
    await deleteConversation(db(), actor, convId);
    return { to: PAGE, toast: "conversations:deleted" };
  },
);

export default function Conversation({ loaderData: { conversation, turns } }: Route.ComponentProps) {
  const { t } = useTranslation("conversations");
  const { id, userName, keyName, sessionId, model, organisationName } = conversation;
  return (
    <>
      <PageHeader
        title={t("detail.title", { id })}
        sub={organisationName}
        back={{ to: href(PAGE), label: t("title") }}
        actions={
          <DialogButton dialog="delete-conversation" kind="danger">
            {t("delete")}
          </DialogButton>
        }
      />
      <ConfirmDialog
        id="delete-conversation"
        title={t("deleteTitle")}
        action={href(`${PAGE}/:convId`, { convId: String(id) })}
        consequences={t("deleteText")}
        confirm={t("delete")}
        values={{ act: "delete" }}
      />
      <Section title={t("detail.about")}>
        <DetailList
          rows={[
            [t("col.user"), userName ?? "–"],
            [t("col.key"), keyName],
            [t("col.model"), model],
            [t("col.session"), sessionId ?? "–"],
          ]}
        />
      </Section>
      {turns.map((turn) => (
        <Turn key={turn.requestId} turn={turn} />
      ))}
    </>
  );
}

function Turn({ turn: { at, expiresAt, content, model } }: { turn: TurnView }) {
  const { t } = useTranslation("conversations");
  const text = (label: string, value: string) => (
    <div className="grid gap-1">
      <h3 className="font-strong text-ink-2">{label}</h3>
      <pre className="mono max-h-96 overflow-auto whitespace-pre-wrap break-words rounded-lg bg-sunken p-3" dir="auto">
        {value}
      </pre>
    </div>
  );
  return (
    <Section title={<DateTime at={at} />} aside={<span className="text-ink-3">{model}</span>}>
      <div className="grid gap-3">
        {content === null ? (
          <p className="text-ink-2">{t("detail.unreadable")}</p>
        ) : (
          <>
            {text(t("detail.request"), content.request)}
            {text(t("detail.answer"), content.answer)}
          </>
        )}
        <p className="text-ink-3">
          {t("detail.expires")} <DateTime at={expiresAt} />
        </p>
      </div>
    </Section>
  );
}
