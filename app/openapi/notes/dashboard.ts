import { z } from "zod";
import type { NotesByOperation } from "../shared";

const aKey = { key_id: "The key’s number in the portal." };

/** Notes on the operations of the portal that need a sign-in, for the API description. */
export const dashboardNotes: NotesByOperation = {
  "POST /dashboard/toggle-admin-mode": "Switch between the admin view and your own",
  "POST /dashboard/set-admin-org": "Choose the organisation in the admin view",
  "POST /dashboard/set-admin-domain": "Choose the organisation by domain",
  "GET /dashboard/search": {
    summary: "Find keys, people, models, organisations and requests",
    description:
      "At most five of each kind, or twenty of the `kind` that you ask for, within what you may see. 120 searches a minute.",
    errors: ["rate_limit_exceeded"],
  },
  "GET /dashboard/get-started": "First steps",
  "POST /dashboard/get-started/key": {
    summary: "Create your first key by its name",
    description: "`key` is the secret: it is in this answer only.",
  },
  "POST /dashboard/secret-stored": "Stop showing a secret that you have stored",
  "POST /dashboard/get-started/action": "Mark a step",
  "POST /dashboard/get-started/hide": "Hide the first steps",
  "POST /dashboard/get-started/resume": "Show the first steps again",
  "POST /dashboard/get-started/reset": "Reset the first steps",
  "GET /dashboard": "Overview",
  "GET /dashboard/get-started/state": "Retrieve the state of the first steps",
  "GET /dashboard/guide": "Guide with your own keys and models",
  "GET /dashboard/activity": "List audit events",
  "GET /dashboard/activity/export": {
    summary: "Export audit events",
    otherAnswers: [{ contentType: "text/csv" }],
  },
  "GET /dashboard/settings": "Settings",
  "POST /dashboard/settings": "Update your settings",
  "POST /dashboard/settings/display-name": "Update your display name",
  "POST /dashboard/settings/billing-user": {
    summary: "Accept, decline or stop paying for your organisation",
    description: "Accepting requires a sign-in or a confirmation (`POST /account/confirm`) within the last 15 minutes.",
    errors: ["authentication_required", "not_found"],
  },
  "GET /dashboard/keys": "List keys",
  "GET /dashboard/keys/export": { summary: "Export keys", otherAnswers: [{ contentType: "text/csv" }] },
  "GET /dashboard/keys/{key_id}/limiter": {
    summary: "Retrieve the key’s rate limiter state",
    parameters: aKey,
  },
  "POST /dashboard/keys/bulk":
    "Suspend, resume, revoke, move or limit several keys (`ids`): all of them or, if one is rejected, none",
  "POST /dashboard/columns": "Remember the columns of a list",
  "POST /dashboard/undo": "Undo an act: `undo` is in the response to the act, and valid for 15 minutes",
  "GET /dashboard/keys/new": "Create-key page",
  "POST /dashboard/keys/new": "Create a key",
  "GET /dashboard/keys/{key_id}": { summary: "Retrieve a key with its budget, limits and usage", parameters: aKey },
  "POST /dashboard/keys/{key_id}": { summary: "Update, suspend, resume, rotate or revoke a key", parameters: aKey },
  "GET /dashboard/guardrails": {
    summary: "List guardrails",
    parameters: { key: "The number of a key, to list its guardrails instead of the organisation’s." },
  },
  "POST /dashboard/guardrails/add": "Add a guardrail to an organisation or a key",
  "POST /dashboard/guardrails/remove": "Remove a guardrail",
  "POST /dashboard/guardrails/test": "Try guardrails on a text",
  "POST /dashboard/guardrails/webhook": {
    summary: "Save or remove the webhook that is asked before requests are sent, or rotate its secret",
    description: "`secret` is answered once: with `save` of a webhook that is new, and with `rotate`.",
    answer: z.looseObject({ ok: z.literal(true), secret: z.string().optional() }),
  },
  "GET /dashboard/autorouter": "Autorouter activity and savings",
  "GET /dashboard/autorouter/dry-run": {
    summary: "Show where a request of a key would go, without sending it",
    parameters: {
      key_id: "The number of the key. Without it nothing is tried.",
      model: "As clients call it; `auto` when left out.",
      region: "The region that the request asks for.",
      algorithm: "How `auto` chooses; as is set for the key when left out.",
      input_tokens: "How long the request is; 1,000 when left out.",
      max_tokens: "The request’s own ceiling of output.",
    },
  },
  "GET /dashboard/api/autorouter": "Retrieve autorouter activity",
  "POST /dashboard/autorouter/help": "Hide or show the autorouter’s explanation",
  "POST /dashboard/autorouter/user": "Set your autorouter",
  "POST /dashboard/autorouter/api-key": "Set a key’s autorouter",
  "POST /dashboard/projects/help": "Hide or show the projects’ explanation",
  "POST /dashboard/qualitative/help": "Hide or show the explanation of quality",
  "GET /dashboard/models": "List the models you can use",
  "GET /dashboard/models/{model_id}": "Retrieve a model",
  "GET /dashboard/playground": {
    summary: "Playground",
    parameters: { request: "A request whose stored texts fill the form." },
  },
  "POST /dashboard/playground": {
    summary: "Call up to three models by a key of yours",
    description:
      "Goes the way of `POST /v1/chat/completions`, charged to the key. The person’s playground budget of the day bounds it.",
    errors: ["not_found", "account_status", "expired_api_key"],
  },
  "POST /dashboard/playground/run": {
    summary: "Stream what a model answers to one of your keys",
    description:
      "The events of a chat stream, then an event `receipt` with request id, cost, tokens, times, supplier and region. What the gateway refuses is an event with `error`, too.",
    otherAnswers: [{ contentType: "text/event-stream" }],
    errors: ["not_found", "account_status", "expired_api_key"],
  },
  "GET /dashboard/usage": "Usage over time",
  "GET /dashboard/usage/export": { summary: "Export usage", otherAnswers: [{ contentType: "text/csv" }] },
  "GET /dashboard/api/usage": "Retrieve usage in time bins",
  "GET /dashboard/qualitative": "Response quality, from metadata only",
  "GET /dashboard/api/qualitative": "Retrieve response quality",
  "GET /dashboard/qualitative/settings": "Quality settings",
  "POST /dashboard/qualitative/settings": "Update the quality settings",
  "GET /dashboard/qualitative/detail/{request_id}": "Explain why single requests are not shown",
  "GET /dashboard/qualitative/export": { summary: "Export quality", otherAnswers: [{ contentType: "text/csv" }] },
  "GET /dashboard/batches": "List your batches",
  "GET /dashboard/batches/{batch_id}": "Retrieve a batch with its progress, cost, files and latest requests",
  "POST /dashboard/batches/{batch_id}/cancel": "Cancel a batch",
  "GET /dashboard/batches/{batch_id}/download": {
    summary: "Download a file of a batch",
    description: "One range of bytes at a time, so that a download that was cut off can go on; `ETag` is the file’s.",
    otherAnswers: [{ contentType: "application/jsonl" }],
    isRanged: true,
  },
  "GET /dashboard/request-log": "List requests",
  "GET /dashboard/request-log/export": {
    summary: "Export requests",
    otherAnswers: [{ contentType: "text/csv" }],
  },
  "GET /dashboard/request-log/{request_id}": {
    summary: "Retrieve a request with its attempts, cost and routing, or why it was rejected",
    hasMoved: true,
  },
};
