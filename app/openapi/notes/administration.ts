import { z } from "zod";
import type { NotesByOperation } from "../shared";

/** Amounts are US dollars as decimals; fields without a price are omitted. */
const PriceFile = z
  .object({
    prices: z.array(z.looseObject({ supplier: z.string(), model: z.string(), upstream_model: z.string() })),
  })
  .meta({ id: "PriceFile" });

/** Notes for operations that need a recent confirmation of identity. */
const RECENT_PROOF = {
  description: "Requires a sign-in or a confirmation (`POST /account/confirm`) within the last 15 minutes.",
  errors: ["authentication_required"],
};

/** The same for credit, which has an upper limit. */
const CREDIT = {
  description: `${RECENT_PROOF.description} Organisation admins raise credit up to the organisation’s credit ceiling.`,
  errors: ["authentication_required", "forbidden"],
};

/** Notes for operations that can lower a person's role. */
const WITHDRAWS = {
  description:
    "Revokes open invitations that the person could no longer send, and, unless `revoke_admin_keys` is false, admin keys they know the secret of and could no longer create. The response counts both.",
};

/** All operations under /dashboard/admin and /api/admin. */
export const administrationNotes: NotesByOperation = {
  "GET /dashboard/admin/projects": "List projects",
  "POST /dashboard/admin/projects": "Create a project",
  "GET /dashboard/admin/projects/{project_id}": "Retrieve a project with its members",
  "POST /dashboard/admin/projects/{project_id}": "Update a project",
  "POST /dashboard/admin/projects/{project_id}/budget": "Set the budget of a project",
  "POST /dashboard/admin/projects/{project_id}/archive": "Archive or restore a project",
  "POST /dashboard/admin/projects/{project_id}/members": "Add a member to a project",
  "POST /dashboard/admin/projects/{project_id}/members/{user_id}/remove": "Remove a member from a project",
  "GET /dashboard/admin/jobs": "List jobs and their recent runs",
  "POST /dashboard/admin/jobs/{job}/run": {
    summary: "Run a job now",
    description: "The job starts within a second: in one process, or in every process for jobs that each of them runs.",
    errors: ["not_found", "conflict"],
  },
  "POST /dashboard/admin/users/bulk":
    "Suspend, reinstate or move several people (`ids`): all of them or, if one is rejected, none",
  "POST /dashboard/admin/users/invite/bulk":
    "Revoke several invitations (`ids`): all of them or, if one is rejected, none",
  "GET /dashboard/admin/users/export": {
    summary: "Export people",
    otherAnswers: [{ contentType: "text/csv" }],
  },
  "GET /dashboard/admin/organisation": "Redirect to your organisation",
  "GET /dashboard/admin/organisations/merging": "Preview a merge of the selected organisations",
  "GET /dashboard/admin/organisations/{org_id}": "Retrieve an organisation with its departments and settings",
  "POST /dashboard/admin/organisations/{org_id}/delete": "Delete an organisation (form post)",
  "POST /dashboard/admin/organisations/{org_id}/departments": "Create a department",
  "POST /dashboard/admin/organisations/{org_id}/departments/{department_id}": "Rename a department",
  "POST /dashboard/admin/organisations/{org_id}/departments/{department_id}/budget": "Set the budget of a department",
  "DELETE /dashboard/admin/organisations/{org_id}/departments/{department_id}": "Delete an empty department",
  "POST /dashboard/admin/organisations/{org_id}/departments/{department_id}/delete":
    "Delete an empty department (form post)",
  "GET /dashboard/admin/users": "List people",
  "GET /dashboard/admin/users/{user_id}": "Retrieve a person",
  "POST /dashboard/admin/users/{user_id}/role": { summary: "Set a person’s role", ...WITHDRAWS },
  "POST /dashboard/admin/users/{user_id}/billing-exempt": {
    summary: "Set a person’s billing exemption",
    ...RECENT_PROOF,
  },
  "POST /dashboard/admin/users/{user_id}/credit-limit": {
    summary: "Set a person’s credit limit",
    ...CREDIT,
  },
  "POST /dashboard/admin/users/{user_id}/monthly-budget": "Set a person’s monthly budget",
  "POST /dashboard/admin/users/{user_id}/billing-config": {
    ...CREDIT,
    summary: "Set a person’s billing and spending limit",
    description: `\`spending_limit\` is the person’s budget of the \`period\`. Without a \`credit_limit\` beside it, and with the mode \`own\`, it is the credit limit of their own wallet instead. ${CREDIT.description}`,
  },
  "POST /dashboard/admin/users/{user_id}/status": { summary: "Activate, suspend or archive a person", ...WITHDRAWS },
  "POST /dashboard/admin/users/{user_id}/hard-delete": {
    summary: "Delete a person; the ledger keeps a pseudonym",
    ...RECENT_PROOF,
    description: `${RECENT_PROOF.description} ${WITHDRAWS.description}`,
  },
  "POST /dashboard/admin/users/{user_id}/org": { summary: "Move a person to another organisation", ...WITHDRAWS },
  "POST /dashboard/admin/users/{user_id}/department": "Move a person to another department",
  "GET /dashboard/admin/users/invite": "Invitation page",
  "POST /dashboard/admin/users/invite": {
    summary: "Invite a person",
    description:
      "`delivery` is `mail`, or `operator` when no mail server is set up and a platform admin passes the link on. Only then, and only for platform admins, the response contains the link (`url`).",
  },
  "POST /dashboard/admin/users/invite/{invite_id}/revoke": "Revoke an invitation",
  "POST /dashboard/admin/users/invite/{invite_id}/link": {
    summary: "Create a new link for an open invitation",
    ...RECENT_PROOF,
    description: `${RECENT_PROOF.description} The earlier link stops working. An account created with the new one has an unconfirmed address.`,
  },
  "GET /dashboard/admin/promotions": "List promotions",
  "GET /dashboard/admin/promotions/{grant_id}": "Retrieve a promotion with the latest credit it gave",
  "POST /dashboard/admin/promotions/create": {
    summary: "Create a promotion",
    description: `${RECENT_PROOF.description} The response carries \`grant_id\` and, for the audience \`code\`, the code.`,
    errors: ["authentication_required", "not_found", "conflict"],
  },
  "POST /dashboard/admin/promotions/{grant_id}/update": {
    summary: "Update or end a promotion",
    description: `${RECENT_PROOF.description} Applies to credit given from then on.`,
    errors: ["authentication_required", "not_found"],
  },
  "GET /dashboard/admin/organisations": "List organisations with totals",
  "POST /dashboard/admin/organisations": "Create an organisation",
  "POST /dashboard/admin/organisations/{org_id}": {
    summary: "Update an organisation",
    description:
      "Changing `billing_exempt`, `credit_limit` (of its own wallet) or `credit_ceiling` (what its admins can give out) requires a recent confirmation.",
    errors: ["authentication_required"],
  },
  "DELETE /dashboard/admin/organisations/{org_id}": {
    summary: "Delete an organisation without people",
    errors: ["conflict"],
  },
  "POST /dashboard/admin/organisations/merge": { summary: "Merge organisations", ...RECENT_PROOF },
  "GET /dashboard/admin/organisations/{org_id}/merge-data": "Retrieve merge data",
  "POST /dashboard/admin/organisation/billing-user": {
    summary: "Set or clear the billing user",
    description:
      "Someone else is asked first and pays once they accept (`nominated_user_id`). Naming yourself requires a recent confirmation.",
    errors: ["authentication_required"],
  },
  "POST /dashboard/admin/organisation/monthly-budget": "Set the organisation’s monthly budget",
  "POST /dashboard/admin/organisation/settings": "Update the organisation’s settings",
  "GET /dashboard/admin/conversations": "List stored conversations",
  "GET /dashboard/admin/conversations/{conv_id}": {
    summary: "Retrieve a stored conversation",
    parameters: { conv_id: "The conversation’s number." },
  },
  "POST /dashboard/admin/conversations/{conv_id}": {
    summary: "Delete a stored conversation from its page",
    parameters: { conv_id: "The conversation’s number." },
  },
  "GET /dashboard/admin/conversations/export": {
    summary: "Export stored conversations",
    otherAnswers: [{ contentType: "text/csv" }],
  },
  "POST /dashboard/admin/conversations/settings": "Choose whether and how conversations are stored",
  "DELETE /api/admin/conversations/{conv_id}": "Delete a stored conversation",
  "GET /dashboard/admin/prices": { summary: "Redirect to the models", leadsOn: true },
  "POST /dashboard/admin/prices": { summary: "Set a price", ...RECENT_PROOF },
  "GET /dashboard/admin/prices/review": "Show the form of a price",
  "POST /dashboard/admin/prices/review": {
    summary: "Preview what setting a price would change",
    ...RECENT_PROOF,
  },
  "GET /dashboard/admin/prices/import": "Show the form for a file of prices",
  "POST /dashboard/admin/prices/import": {
    summary: "Preview a file of prices, or set the prices of a previewed one",
    ...RECENT_PROOF,
  },
  "GET /dashboard/admin/prices/export": {
    summary: "Export today’s prices",
    parameters: { format: "`csv` or `json`." },
    answer: PriceFile,
    otherAnswers: [{ contentType: "text/csv" }],
  },
  "POST /dashboard/admin/prices/{route_id}/order": {
    summary: "Set when a supplier is tried for a model",
    parameters: { route_id: "The number of the way to serve the model." },
    ...RECENT_PROOF,
  },
  "POST /dashboard/admin/prices/{route_id}/profile": {
    summary: "Set which profile a supplier’s model has",
    parameters: { route_id: "The number of the way to serve the model." },
    ...RECENT_PROOF,
  },
  "GET /dashboard/admin/models": {
    summary: "List models, suppliers and prices",
    parameters: {
      tab: "What is listed.",
      q: "A part of the name of a model or supplier.",
      supplier: "Only prices of the supplier with this name.",
      price: "`none`: only what has no price.",
      after: "Where the page of prices begins, from the link to it.",
    },
  },
  "GET /dashboard/admin/models/credentials": {
    summary: "Show the pools of supplier credentials and their events",
    parameters: {
      provider: "Only events of the supplier with this name.",
      key_name: "Only events of credentials with this name.",
      limit: "How many events, at most.",
      kinds: "Only events of these kinds, separated by commas.",
      since_ms: "Only events at or after this moment, in milliseconds since 1970.",
      offset: "How many of the newest events are left out.",
      window_hours: "Only events of the last hours; 0: of all time.",
      source: "Only events that this noticed: `config`, `portal`, `refresh` or `traffic`.",
      error_kind: "Only events with this kind of error.",
    },
  },
  "GET /dashboard/admin/models/dry-run": {
    summary: "Show where a request would go, without sending it",
    parameters: {
      model: "As clients call it, or `auto`. Without it nothing is tried.",
      key_id: "The number of a key whose models and regions apply.",
      region: "The region that the request asks for.",
      algorithm: "How `auto` chooses.",
      input_tokens: "How long the request is; 1,000 when left out.",
      max_tokens: "The request’s own ceiling of output.",
    },
  },
  "POST /dashboard/admin/providers": { summary: "Add a supplier", ...RECENT_PROOF },
  "POST /dashboard/admin/providers/{provider_id}/update": { summary: "Update a supplier", ...RECENT_PROOF },
  "POST /dashboard/admin/providers/{provider_id}/delete": { summary: "Delete a supplier", ...RECENT_PROOF },
  "GET /dashboard/admin/providers/{provider_id}/models": {
    summary: "Show the page that tests the connection to a supplier",
    parameters: { provider_id: "The supplier’s number." },
  },
  "POST /dashboard/admin/providers/{provider_id}/models": {
    summary: "Test the connection to a supplier, or serve models of its own list at their list prices",
    ...RECENT_PROOF,
  },
  "GET /dashboard/admin/providers/{provider_id}/extras": {
    summary: "Show which headers and parameters requests to a supplier carry",
    parameters: { provider_id: "The supplier’s number." },
  },
  "POST /dashboard/admin/providers/{provider_id}/extras": {
    summary: "Set or remove a header or parameter that requests to a supplier carry",
    ...RECENT_PROOF,
  },
  "POST /dashboard/admin/autorouter/api-key": "Set a key’s autorouter",
  "POST /dashboard/admin/autorouter/org": "Set an organisation’s autorouter",
  "GET /dashboard/admin/api/key-rate-limit-state": "Retrieve a key’s rate limiter state",
  "GET /dashboard/admin/api/usage": "Retrieve one person’s usage",
  "GET /dashboard/admin/api/dashboard": "Retrieve the admin overview",
  "GET /dashboard/admin/api/proxy-health": "Retrieve supplier credential health",
  "GET /api/admin/token-logs": "List supplier credential events",
};
