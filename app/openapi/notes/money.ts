import { z } from "zod";
import { AUTO_TOPUP_PAUSE_REASONS, AUTO_TOPUP_STATES, AUTO_TOPUP_WAITS } from "~/domain/billing/shared";
import type { NotesByOperation } from "../shared";

const RETIRED = { errors: ["not_implemented"] } as const;

const Moment = z.iso.datetime();
const Amount = z.number().describe("US dollars.");

const AlertHistory = z.object({
  ok: z.literal(true),
  data: z.array(
    z.object({
      id: z.int(),
      alert_id: z.int(),
      kind: z.enum(["threshold", "low_balance", "refusing", "accepting"]),
      threshold_percent: z.int().nullable(),
      threshold_balance: Amount.nullable(),
      scope: z.object({
        kind: z.enum(["key", "user", "department", "project", "organisation", "wallet"]),
        id: z.int(),
        name: z.string(),
      }),
      period: z.enum(["daily", "monthly", "rolling"]).nullable(),
      limit: Amount,
      spent: Amount,
      held: Amount,
      available: Amount,
      resets_at: Moment.nullable(),
      runs_out_at: Moment.nullable(),
      created_at: Moment,
      channel: z.enum(["mail", "webhook"]),
      state: z.enum(["pending", "sent", "dead", "cancelled"]),
      attempts: z.int(),
      next_attempt_at: Moment.nullable(),
      sent_at: Moment.nullable(),
      error: z.string().nullable(),
    }),
  ),
  next_before_id: z.int().nullable(),
});

const AutoTopup = z.object({
  ok: z.literal(true),
  active: z.boolean(),
  version: z.int().describe("Of the settings; 0 before the first."),
  wait: z.enum(AUTO_TOPUP_WAITS).describe("Why nothing is charged at the moment; `due`: a charge follows."),
  pause: z
    .object({ reason: z.enum(AUTO_TOPUP_PAUSE_REASONS), at: Moment, payment_id: z.uuid() })
    .nullable()
    .describe("Null where no payment has paused it."),
  settings: z.object({ threshold: Amount, amount: Amount, daily_limit: Amount, monthly_limit: Amount }).nullable(),
  consent: z.object({ version: z.string(), language: z.string(), at: Moment }).nullable(),
  next_attempt_at: Moment.nullable().describe("After a decline: when the card may be charged again."),
});

const AutoTopupOperation = z.object({
  ok: z.literal(true),
  id: z.uuid(),
  state: z.enum(AUTO_TOPUP_STATES),
  settings_version: z.int(),
  amount: Amount.describe("What the wallet gets, in US dollars."),
  fee: Amount.describe("What is charged on top, in US dollars."),
  confirmed: z.boolean().describe("Whether the wallet has the credit."),
  failure: z.string().nullable(),
  action_url: z.url().nullable().describe("Where you confirm the payment, while your bank asks for that."),
  created_at: Moment,
  submitted_at: Moment.nullable(),
  ended_at: Moment.nullable(),
});

/** Reports, budgets and billing. */
export const moneyNotes: NotesByOperation = {
  "GET /dashboard/reports": "List saved reports and build one",
  "POST /dashboard/reports": {
    summary: "Create a report",
    description: "`question` has the parameters of `GET /dashboard/reports`, as its address writes them.",
  },
  "POST /dashboard/reports/{report_id}/rename": "Rename a report",
  "POST /dashboard/reports/{report_id}/delete": "Delete a report",
  "POST /dashboard/reports/{report_id}/exports": "Start an export",
  "GET /dashboard/reports/{report_id}/open": { summary: "Redirect to the report", leadsOn: true },
  "GET /dashboard/reports/{report_id}/view": "View a report",
  "GET /dashboard/api/reports/{report_id}": "Retrieve a report",
  "GET /dashboard/reports/{report_id}/export": {
    summary: "Export a report",
    otherAnswers: [{ contentType: "text/csv" }],
  },
  "GET /dashboard/reports/exports/{job_id}": "Retrieve an export’s progress",
  "POST /dashboard/reports/exports/{job_id}/cancel": "Cancel an export",
  "GET /dashboard/reports/exports/{job_id}/download": {
    summary: "Download an export",
    description: "One range of bytes at a time, so that a download that was cut off can go on; `ETag` is the file’s.",
    otherAnswers: [
      { contentType: "text/csv" },
      { contentType: "application/jsonl" },
      { contentType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" },
    ],
    isRanged: true,
  },
  "POST /dashboard/reports/schedules": "Schedule a report",
  "POST /dashboard/reports/schedules/{schedule_id}/disable": "Disable a schedule",
  "POST /dashboard/reports/schedule-runs/{run_id}/review": "Mark a run as reviewed",
  "GET /dashboard/budgets": "Budgets as a tree, or those that match a filter",
  "GET /dashboard/budgets/export": { summary: "Export budgets", otherAnswers: [{ contentType: "text/csv" }] },
  "POST /dashboard/budgets/limit": {
    summary: "Change the limit of a key, person, department, project or organisation",
    description:
      "Needs the right to change that budget. Without a `budget_period`, it stays as it is; that of an organisation is `monthly`. With `was_limit` and `was_period`, the change is rejected (409) if another budget is in force. The answer has the budget `before`.",
  },
  "POST /dashboard/budgets": "Change your budget alerts",
  "GET /dashboard/budgets/alerts": "Your budget alerts and their settings",
  "POST /dashboard/budgets/alerts": "Change your budget alerts",
  "POST /dashboard/budgets/activate": "Turn on your budget alerts",
  "POST /dashboard/budgets/webhook": {
    summary: "Save, test or remove your alert webhook, or rotate its secret",
    description: "`secret` is answered once: with `save` of a webhook that is new, and with `rotate`.",
    answer: z.looseObject({
      ok: z.literal(true),
      secret: z.string().optional(),
      accepted: z.boolean().optional().describe("Of `test`: whether the receiver answered 2xx."),
      status: z.int().nullable().optional(),
      error: z.string().nullable().optional(),
    }),
  },
  "POST /dashboard/budgets/consent": "Consent to alerts about the budgets that you manage",
  "POST /dashboard/budgets/consent/revoke": "Revoke your consent to alerts",
  "GET /dashboard/budgets/alert-history": {
    summary: "List your budget alerts and their delivery",
    parameters: {
      before_id: "Rows with smaller ids only; need not be an id of your own.",
      limit: "At most so many rows.",
    },
    answer: AlertHistory,
    errors: ["budget_alert_history_unavailable"],
  },
  "GET /dashboard/billing": "Wallet, ledger and payments",
  "POST /dashboard/billing": "Remove a saved card, or make it the default",
  "GET /dashboard/billing/fund": "Add-funds page",
  "GET /dashboard/billing/statements": "List the monthly statements of whoever pays for you",
  "GET /dashboard/billing/statements/{month}": "View a monthly statement",
  "GET /dashboard/billing/statements/{month}/export": {
    summary: "Export a monthly statement",
    otherAnswers: [{ contentType: "text/csv" }],
  },
  "GET /dashboard/billing/ledger/export": {
    summary: "Export the ledger of the wallet that pays for you, or what a filter lets through",
    otherAnswers: [{ contentType: "text/csv" }],
  },
  "GET /dashboard/billing/ledger/{seq}": "View a ledger entry with the requests behind it",
  "POST /dashboard/billing/delegated-payer": {
    summary: "Ask a colleague to pay for you, offer to pay for them, accept or end",
    description:
      "`act` is `request` or `offer` with `email`, or `accept` or `end` with `delegation_id`. Nothing changes until the other one accepts; either of the two ends it at any time. Offering and accepting require a sign-in or a confirmation (`POST /account/confirm`) within the last 15 minutes.",
    errors: ["authentication_required", "not_found", "conflict", "rate_limit_exceeded"],
  },
  "POST /dashboard/billing/redeem": {
    summary: "Redeem a promotion code",
    errors: ["invalid_request", "conflict", "rate_limit_exceeded"],
  },
  "POST /api/billing/checkout": "Create a checkout session",
  "GET /api/billing/processor-config": "Retrieve the payment processor’s browser configuration",
  "POST /api/billing/payment-methods/setup": "Set up a payment method",
  "GET /api/billing/checkout-status": "Retrieve a checkout’s status",
  "GET /api/billing/payment-methods": "List payment methods",
  "DELETE /api/billing/payment-methods/{pm_id}": "Delete a payment method",
  "POST /api/billing/payment-methods/{pm_id}/default": "Set the default payment method",
  "GET /api/billing/payments": "List payments, newest first",
  "POST /api/billing/processor/webhook": "Receive payment processor events",
  "GET /api/billing/auto-topup": {
    summary: "Retrieve your auto top-up",
    description:
      "How auto top-up of your wallet stands. `pause` says which news of which payment has paused it: it goes on when you set it again, with new consent and this `version`.",
    answer: AutoTopup,
    errors: ["forbidden"],
  },
  "POST /api/billing/auto-topup": {
    summary: "Set auto top-up with new consent",
    description:
      "With `active` true, every field is required: `version` is the one that you have seen (0 for none), `consent` has to be given anew to the current `consent_version`, and the session needs a recent confirmation. With `active` false, charging stops at once. Each change is a version of its own.",
    answer: z.object({ ok: z.literal(true), active: z.boolean(), version: z.int() }),
    errors: ["authentication_required", "conflict", "billing_unavailable"],
  },
  "GET /api/billing/auto-topup/operations/{operation_id}": {
    summary: "Retrieve one of your top-ups",
    description: "Only the caller’s own. Reading never makes a charge and never repeats one.",
    answer: AutoTopupOperation,
    errors: ["not_found"],
  },
  "POST /dashboard/admin/billing/auto-topup-policy": {
    summary: "Approve auto top-up within bounds, or withdraw the approval",
    description: "Requires a recent confirmation. `version` is that of the decision that you have seen, 0 for none.",
    answer: z.object({ ok: z.literal(true), approved: z.boolean(), version: z.int() }),
    errors: ["authentication_required", "conflict"],
  },
  "GET /dashboard/admin/billing": "Payment events that failed, and crediting by hand",
  "POST /dashboard/admin/billing": "Credit a wallet by hand",
  "POST /dashboard/admin/billing/events/{event_id}/replay": "Replay a payment event",
  "GET /dashboard/admin/billing/reconcile": "Latest audit of the ledger, the clearing account, and holds in review",
  "POST /dashboard/admin/billing/reconcile/audit": {
    summary: "Audit the ledger now",
    description: "A job starts within a second.",
    errors: ["conflict"],
  },
  "GET /dashboard/admin/billing/reconcile/{call_id}": "Retrieve a hold in review",
  "POST /dashboard/admin/billing/reconcile/{call_id}/resolve": {
    summary: "Resolve a hold in review",
    description:
      "Charges what was known last, an amount, or nothing; never more than is held. Requires a recent confirmation.",
    errors: ["authentication_required", "not_found", "conflict"],
  },
  "POST /api/billing/add-funds": { summary: "Removed: use the checkout", ...RETIRED },
  "POST /api/billing/payment-method": { summary: "Removed: use the hosted set-up", ...RETIRED },
  "DELETE /api/billing/payment-method/{pm_id}": { summary: "Retired; changes nothing", ...RETIRED },
  "POST /api/billing/payment-method/{pm_id}/default": { summary: "Retired; changes nothing", ...RETIRED },
  "POST /api/billing/link-partner": { summary: "Retired; changes nothing", ...RETIRED },
  "POST /api/billing/unlink-partner": { summary: "Retired; changes nothing", ...RETIRED },
};
