import { checkBus } from "~/connection/bus.server";
import { db, recordFunctionsInUse } from "~/connection/db.server";
import {
  carryToSuccessors,
  recoverSettlements,
  releaseExpiredHolds,
  settleReviewedHolds,
  touchHolds,
} from "~/domain/accounting/index.server";
import { purgeEnded } from "~/domain/accounts/index.server";
import { logAuditHead } from "~/domain/activity/index.server";
import { purgeBatches } from "~/domain/batches/index.server";
import {
  applyDueEvents,
  checkConnection,
  checkPayments,
  compareEvents,
  recordAudit,
} from "~/domain/billing/index.server";
import { evaluateBudgets, purgeAlerts } from "~/domain/budgets/index.server";
import { purgeConversations } from "~/domain/conversations/index.server";
import { purgeTokenEvents, renewTokens } from "~/domain/credentials/index.server";
import { purgeFiles } from "~/domain/files/index.server";
import { bookAnswered, purgeOldAnswers } from "~/domain/idempotency/index.server";
import { applyPromotions } from "~/domain/promotions/index.server";
import { beginScheduledRuns, purgeExports, purgeScheduleRuns, writeExports } from "~/domain/reports/index.server";
import { purgeOldRejections } from "~/domain/request-log/index.server";
import { purgeStoredResponses } from "~/domain/responses/index.server";
import { addUpUsage } from "~/domain/usage/index.server";
import { purgeMails, sendWaiting } from "~/mail/outbox.server";
import { deliverReports } from "./deliver-reports";
import { inBatches } from "./in-batches";
import { reportPaymentProblems } from "./report-payment-problems";
import { sealAddresses } from "./seal-addresses";
import type { Job } from "./shared";
import { deleteRuns } from "./store";
import { tellAlerts } from "./tell-alerts";
import { sendBillingEmails } from "./tell-billing";
import { topUpWallets } from "./top-up-wallets";

export type JobSettings = {
  holdLeaseMs: number;
  /** Processes batches. A parameter, because jobs must not import the gateway, which runs the lines of batches. */
  runBatches(signal: AbortSignal): Promise<number>;
};

/** The job that extends the holds of calls in flight before they expire. */
export const EXTEND_HOLDS = "extend-holds";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Time-out of accounting jobs; their statements end within seconds, so a longer run is stuck. */
const ACCOUNTING = { timeoutMs: 30 * SECOND };
const RUNS_KEPT_DAYS = 7;
/** Retention of batches, as in the original API of this format. */
const BATCHES_KEPT_DAYS = 30;

/** Returns all jobs, in the order of the page. */
export const jobRegistry = ({ holdLeaseMs, runBatches }: JobSettings): readonly Job[] => [
  {
    ...ACCOUNTING,
    name: "release-expired-holds",
    scope: "installation",
    everyMs: 5 * SECOND,
    jitter: 0.2,
    run: releaseExpiredHolds,
  },
  {
    ...ACCOUNTING,
    name: "settle-reviewed-holds",
    scope: "installation",
    everyMs: 30 * SECOND,
    run: settleReviewedHolds,
  },
  { ...ACCOUNTING, name: "sweep-merged-wallets", scope: "installation", everyMs: 30 * SECOND, run: carryToSuccessors },
  {
    ...ACCOUNTING,
    name: "settle-stored-answers",
    scope: "installation",
    everyMs: 20 * SECOND,
    run: () => bookAnswered(db()),
  },
  {
    name: "purge-stored-answers",
    scope: "installation",
    everyMs: 10 * MINUTE,
    run: inBatches((maximum) => purgeOldAnswers(db(), maximum)),
  },
  {
    name: "add-up-usage",
    scope: "installation",
    everyMs: 10 * MINUTE,
    run: (signal) => addUpUsage(db(), signal),
  },
  {
    name: "purge-rejections",
    scope: "installation",
    everyMs: 10 * MINUTE,
    run: inBatches((maximum) => purgeOldRejections(db(), maximum)),
  },
  {
    name: "purge-conversations",
    scope: "installation",
    everyMs: 10 * MINUTE,
    run: inBatches((maximum) => purgeConversations(db(), maximum), 1_000),
  },
  {
    name: "purge-stored-responses",
    scope: "installation",
    everyMs: 10 * MINUTE,
    run: inBatches((maximum) => purgeStoredResponses(db(), maximum)),
  },
  {
    name: "purge-files",
    scope: "installation",
    everyMs: 10 * MINUTE,
    // Each has many pieces, which go with it.
    run: inBatches((maximum) => purgeFiles(db(), maximum), 20),
  },
  // The time-out exceeds the longest call that a batch may wait for.
  { name: "run-batches", scope: "installation", everyMs: 2 * SECOND, timeoutMs: HOUR, run: runBatches },
  {
    name: "purge-batches",
    scope: "installation",
    everyMs: HOUR,
    run: inBatches((maximum) => purgeBatches(db(), BATCHES_KEPT_DAYS, maximum)),
  },
  { name: "apply-payment-events", scope: "installation", everyMs: 5 * SECOND, run: () => applyDueEvents(db()) },
  {
    name: "look-up-payments",
    scope: "installation",
    everyMs: 5 * MINUTE,
    run: (signal) => checkPayments(db(), signal),
  },
  { name: "top-up-wallets", scope: "installation", everyMs: 5 * SECOND, run: topUpWallets },
  { name: "send-billing-notices", scope: "installation", everyMs: 10 * MINUTE, run: sendBillingEmails },
  { name: "report-payment-problems", scope: "installation", everyMs: HOUR, run: reportPaymentProblems },
  { name: "compare-payment-events", scope: "installation", everyMs: DAY, run: (signal) => compareEvents(db(), signal) },
  { name: "check-payment-connection", scope: "installation", everyMs: HOUR, run: () => checkConnection(db()) },
  { name: "audit-ledger", scope: "installation", everyMs: HOUR, run: () => recordAudit(db()) },
  { name: "apply-promotions", scope: "installation", everyMs: MINUTE, run: (signal) => applyPromotions(db(), signal) },
  {
    name: "evaluate-budgets",
    scope: "installation",
    everyMs: 5 * SECOND,
    run: (signal) => evaluateBudgets(db(), signal),
  },
  { name: "send-alerts", scope: "installation", everyMs: 5 * SECOND, run: tellAlerts },
  {
    name: "purge-alerts",
    scope: "installation",
    everyMs: HOUR,
    run: inBatches((maximum) => purgeAlerts(db(), maximum)),
  },
  {
    name: "write-exports",
    scope: "installation",
    everyMs: 2 * SECOND,
    timeoutMs: HOUR,
    run: (signal) => writeExports(db(), signal),
  },
  {
    name: "run-report-schedules",
    scope: "installation",
    everyMs: 5 * SECOND,
    run: (signal) => beginScheduledRuns(db(), signal),
  },
  { name: "deliver-reports", scope: "installation", everyMs: 5 * SECOND, run: deliverReports },
  {
    name: "purge-report-runs",
    scope: "installation",
    everyMs: HOUR,
    run: inBatches((maximum) => purgeScheduleRuns(db(), maximum)),
  },
  {
    name: "purge-exports",
    scope: "installation",
    everyMs: 10 * MINUTE,
    // Each has many pieces, which go with it.
    run: inBatches((maximum) => purgeExports(db(), maximum), 20),
  },
  { name: "seal-addresses", scope: "installation", everyMs: HOUR, run: sealAddresses },
  { name: "purge-sessions", scope: "installation", everyMs: 10 * MINUTE, run: () => purgeEnded(db()) },
  { name: "purge-emails", scope: "installation", everyMs: MINUTE, run: () => purgeMails(db()) },
  { name: "purge-token-events", scope: "installation", everyMs: HOUR, run: () => purgeTokenEvents(db()) },
  { name: "purge-job-runs", scope: "installation", everyMs: HOUR, run: () => deleteRuns(db(), RUNS_KEPT_DAYS) },
  // Jobs on the memory or disk of a process run in every process.
  { ...ACCOUNTING, name: EXTEND_HOLDS, scope: "process", everyMs: holdLeaseMs / 3, run: touchHolds },
  {
    ...ACCOUNTING,
    name: "recover-settlements",
    scope: "process",
    everyMs: 5 * SECOND,
    jitter: 0.2,
    run: recoverSettlements,
  },
  { name: "send-emails", scope: "process", everyMs: 5 * SECOND, run: sendWaiting },
  { name: "renew-supplier-tokens", scope: "process", everyMs: 10 * SECOND, run: async () => renewTokens() },
  // Every process logs the head of the audit log: a copy outside the database reveals a truncated audit log.
  { name: "log-audit-head", scope: "process", everyMs: HOUR, run: () => logAuditHead(db()) },
  { name: "check-bus", scope: "process", everyMs: 5 * SECOND, run: checkBus },
  { name: "note-functions", scope: "process", everyMs: HOUR, run: recordFunctionsInUse },
];
