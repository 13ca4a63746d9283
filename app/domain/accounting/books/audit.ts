import { sqlPool } from "~/connection/db.server";
import { formatUsd } from "~/values/money";
import type { ReviewHold } from "../shared";
import { DEFECTS, REVIEWS } from "../store";
import { readReviews } from "./review";

type Defect = { defect: string; subject: string; detail: string };
export type AuditReport = { defects: Defect[]; inReview: ReviewHold[] };

/** Audits the whole ledger. It is sound when there are no defects; holds in review are open questions, not defects. */
export async function auditLedger(): Promise<AuditReport> {
  return {
    defects: JSON.parse(await one(DEFECTS, [])) as Defect[],
    inReview: readReviews(await one(REVIEWS, [null, null])),
  };
}

/** Formats a report for a terminal. */
export function describeAudit({ defects, inReview }: AuditReport): string {
  const lines = [defects.length === 0 ? "ledger: sound" : `ledger: ${defects.length} defects`];
  for (const { defect, subject, detail } of defects) lines.push(`  ${defect}  ${subject}: ${detail}`);
  lines.push(inReview.length === 0 ? "in review: nothing" : `in review: ${inReview.length} holds`);
  for (const hold of inReview) {
    const { callId, amountNanoUsd, checkpointCostNanoUsd, admittedAt, owner, reason } = hold;
    const known =
      checkpointCostNanoUsd === null ? "no checkpoint" : `checkpoint ${formatUsd(checkpointCostNanoUsd)} USD`;
    lines.push(
      `  ${callId}  ${formatUsd(amountNanoUsd)} USD held since ${admittedAt.toISOString()} by ${owner} (${reason}), ${known}`,
    );
  }
  return `${lines.join("\n")}\n`;
}

async function one(text: string, values: unknown[]): Promise<string> {
  const { rows } = await sqlPool().query({ text, values, rowMode: "array" });
  return String(rows[0]?.[0]);
}
