import { useTranslation } from "react-i18next";
import type { BatchState } from "~/domain/batches/shared";
import { Badge, type BadgeKind } from "~/ui/page-parts";

const KINDS: Readonly<Record<BatchState, BadgeKind>> = {
  validating: "info",
  in_progress: "info",
  finalizing: "info",
  cancelling: "held",
  completed: "good",
  failed: "bad",
  cancelled: "plain",
  expired: "held",
};

/** State of a batch, as a word. */
export function StateBadge({ state }: { state: BatchState }) {
  const { t } = useTranslation("batches");
  return <Badge kind={KINDS[state]}>{t(`state.${state}`)}</Badge>;
}
