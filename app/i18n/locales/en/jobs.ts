/** The page of the recurring jobs. */
export default {
  title: "Jobs",
  subtitle: "Recurring work of this installation",
  table: "Jobs, with their last and next run",
  col: { job: "Job", schedule: "Schedule", last: "Last run", result: "Result", next: "Next run", actions: "Actions" },
  every: "Every {{time}}",
  scope: { installation: "Once per installation", process: "In every process" },
  scopeHint: "Jobs that run in every process are shown as they stand in process {{process}}.",
  never: "Not yet",
  running: "Running",
  runningFor: "for {{time}}",
  due: "now",
  late: "Overdue",
  handled_one: "{{count, number}} item",
  handled_other: "{{count, number}} items",
  failures_one: "{{count, number}} failure in a row",
  failures_other: "{{count, number}} failures in a row",
  result: {
    succeeded: "Succeeded",
    failed: "Failed",
    timed_out: "Timed out",
    interrupted: "Interrupted",
    abandoned: "Abandoned",
  },
  run: "Run now",
  runTitle: "Run “{{job}}” now?",
  runText: "The job starts within a second. The audit log records who started it.",
  runTextProcess: "The job starts within a second in every process. The audit log records who started it.",
  requested: "The job will start within a second.",
  runs: {
    title: "Recent runs",
    hint: "Runs that did something, failed or were started by hand, kept for 7 days",
    table: "Recent runs, newest first",
    col: { started: "Started", job: "Job", result: "Result", duration: "Duration", process: "Process" },
    byHand: "Started by hand",
    filter: "Job",
    all: "All jobs",
    empty: "No runs to show yet",
    emptyText: "Runs that find nothing to do are not listed.",
    nothing: "No runs of this job",
    nothingText: "It has found nothing to do in the last 7 days. Clear the filter to see other jobs.",
  },
  job: {
    "release-expired-holds": {
      name: "Release expired holds",
      about: "Releases money held by requests whose process is gone, or moves it to review.",
    },
    "settle-reviewed-holds": {
      name: "Settle reviewed holds",
      about: "Charges requests in review at their last known usage after 15 minutes.",
    },
    "sweep-merged-wallets": {
      name: "Sweep merged wallets",
      about:
        "Moves money that arrives late in a merged wallet to its successor, and has payers repay what they owe from money that arrives.",
    },
    "settle-stored-answers": {
      name: "Settle stored answers",
      about: "Charges answered requests whose process ended before it could.",
    },
    "purge-stored-answers": {
      name: "Purge stored answers",
      about: "Deletes answers kept for an Idempotency-Key after 24 hours.",
    },
    "purge-conversations": {
      name: "Purge conversations",
      about: "Deletes stored conversations at the end of their organisation’s retention.",
    },
    "purge-stored-responses": {
      name: "Purge stored responses",
      about: "Deletes stored responses of the responses API when their time is over.",
    },
    "purge-files": {
      name: "Purge files",
      about: "Deletes files of the files API when their time is over, and uploads that were broken off.",
    },
    "run-batches": {
      name: "Run batches",
      about: "Checks the files of batches, carries out their lines and writes their results.",
    },
    "purge-batches": {
      name: "Purge batches",
      about: "Deletes batches that ended 30 days ago.",
    },
    "add-up-usage": {
      name: "Add up usage by day",
      about: "Adds up each day of usage once it is over, so that long periods load quickly.",
    },
    "purge-rejections": {
      name: "Purge rejected requests",
      about: "Deletes rejected requests of keys after 7 days, and their hourly counts after 400.",
    },
    "write-exports": { name: "Write exports", about: "Prepares the report files that people have asked for." },
    "purge-exports": { name: "Purge exports", about: "Deletes report files after 7 days." },
    "run-report-schedules": {
      name: "Run report schedules",
      about: "Starts the scheduled reports whose time has come.",
    },
    "deliver-reports": { name: "Deliver reports", about: "Sends the emails and webhooks of scheduled reports." },
    "purge-report-runs": { name: "Purge report runs", about: "Deletes runs of report schedules after 400 days." },
    "purge-sessions": { name: "Purge sessions", about: "Deletes ended sessions, unconfirmed sign-ups and used links." },
    "evaluate-budgets": { name: "Evaluate budgets", about: "Finds budgets and wallets that reached a threshold." },
    "send-billing-notices": {
      name: "Send billing notices",
      about:
        "Emails people about a reached auto top-up limit, a saved card that expires, and a colleague they pay for.",
    },
    "top-up-wallets": {
      name: "Top up wallets",
      about: "Charges saved cards for wallets below their threshold, and looks up charges without an outcome.",
    },
    "send-alerts": { name: "Send alerts", about: "Sends waiting budget alerts and retries failed ones." },
    "purge-alerts": { name: "Purge alerts", about: "Deletes budget alerts after 400 days." },
    "purge-emails": { name: "Purge emails", about: "Deletes emails that were sent, or that are no longer useful." },
    "purge-token-events": {
      name: "Purge credential events",
      about: "Deletes events of supplier credentials after 30 days.",
    },
    "purge-job-runs": { name: "Purge job runs", about: "Deletes the runs listed below after 7 days." },
    "extend-holds": { name: "Extend holds", about: "Keeps money held for requests that are still running." },
    "recover-settlements": {
      name: "Recover settlements",
      about: "Charges requests that ended while the database was unreachable.",
    },
    "send-emails": { name: "Send emails", about: "Sends waiting emails and retries failed ones." },
    "renew-supplier-tokens": {
      name: "Renew supplier tokens",
      about: "Renews access tokens of suppliers before they expire.",
    },
    "log-audit-head": {
      name: "Log the audit log’s head",
      about: "Writes the latest hash of the audit log to the process log.",
    },
    "check-bus": {
      name: "Check notifications",
      about: "Checks the connection that carries changes between processes.",
    },
    "seal-addresses": {
      name: "Seal webhook addresses",
      about: "Encrypts webhook addresses that an earlier version stored as plain text.",
    },
    "note-functions": {
      name: "Note the version in use",
      about: "Records which version’s database functions this process uses, so that an upgrade keeps them.",
    },
    "apply-payment-events": {
      name: "Apply payment events",
      about: "Credits wallets with what the payment processor has reported, and tries again what failed.",
    },
    "look-up-payments": {
      name: "Look up payments",
      about: "Asks the payment processor about checkouts it hasn't reported on, and for receipts.",
    },
    "report-payment-problems": {
      name: "Report payment problems",
      about:
        "Emails the platform’s admins about new payment events that failed, payments credited differently, and paused auto top-ups.",
    },
    "check-payment-connection": {
      name: "Check the payment connection",
      about: "Asks the payment processor whether it accepts gw’s key and delivers the events gw needs.",
    },
    "compare-payment-events": {
      name: "Compare payment events",
      about:
        "Compares received events with the payment processor's list of the last three days and applies missing ones.",
    },
    "apply-promotions": {
      name: "Apply promotions",
      about:
        "Gives promotions to new people, counts spending against promotional credit and takes back what has expired.",
    },
    "audit-ledger": {
      name: "Audit the ledger",
      about: "Checks that the books add up and compares them with the payment processor.",
    },
  },
};
