import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { atLeast } from "~/domain/accounts/shared";
import { readVisibleBatch } from "~/domain/batches/index.server";
import type { BatchState } from "~/domain/batches/shared";
import { newestOfBatch } from "~/domain/request-log/index.server";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { CopyText } from "~/ui/CopyText";
import { DialogButton } from "~/ui/Dialog";
import type { PageHandle } from "~/ui/page-handle";
import { Columns, Live, PageHeader, Section } from "~/ui/page-parts";
import { BatchParams } from "../params";
import { StateBadge } from "../StateBadge";
import type { Route } from "./+types/page";
import { filesOf } from "./batch-files.server";
import { BatchFacts, BatchFigures } from "./Facts";
import { FileTable } from "./FileTable";
import { ProblemTable } from "./ProblemTable";
import { BatchRequests } from "./Requests";
import { SupplierLines } from "./SupplierLines";

export const handle: PageHandle = { hydrate: false };

const REQUESTS = 20;

export const loader = pageLoader({ allow: "viewer", params: BatchParams }, async ({ actor, params }) => {
  const batch = await readVisibleBatch(db(), actor, params.batchId);
  const { organisationId, id } = batch;
  const [files, requests] = await Promise.all([
    filesOf(batch),
    newestOfBatch(db(), { organisationId, id, limit: REQUESTS }),
  ]);
  return { batch, files, requests, mayCancel: atLeast(actor.role, "member") && CANCELLABLE.has(batch.state) };
});

const CANCELLABLE: ReadonlySet<BatchState> = new Set(["validating", "in_progress"]);

export default function BatchPage({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("batches");
  const { batch, files, requests, mayCancel } = view;
  const dialog = "cancel-batch";
  return (
    <>
      <Live name="batch">
        <PageHeader
          title={t("one")}
          back={{ to: href("/dashboard/batches"), label: t("title") }}
          sub={<CopyText text={batch.id} what={t("col.batch")} />}
          tags={<StateBadge state={batch.state} />}
          actions={mayCancel ? <DialogButton dialog={dialog}>{t("cancel")}</DialogButton> : null}
        />
        <BatchFigures batch={batch} />
        <ProblemTable errors={batch.errors} />
        <Section title={t("files.title")} flush>
          <FileTable batchId={batch.id} files={files} />
        </Section>
        <Columns>
          <Section
            title={t("requests.title")}
            aside={t("requests.text", { count: REQUESTS })}
            flush={requests.length > 0}
          >
            <BatchRequests requests={requests} />
          </Section>
          <div>
            <BatchFacts batch={batch} />
            <SupplierLines processing={batch.processing} />
          </div>
        </Columns>
      </Live>
      {mayCancel ? (
        <ConfirmDialog
          id={dialog}
          title={t("cancelTitle")}
          action={href("/dashboard/batches/:batchId/cancel", { batchId: batch.id })}
          consequences={t("cancelText")}
          confirm={t("cancel")}
        />
      ) : null}
    </>
  );
}
