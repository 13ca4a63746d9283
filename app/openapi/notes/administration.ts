import type { NotesByOperation } from "../shared";

/** What acts say that ask for a recent proof of who acts. */
const RECENT_PROOF = {
  description: "Asks for a sign-in or a confirmation (`POST /account/confirm`) within the last 15 minutes.",
  errors: ["authentication_required"],
};

/** The same for credit, which has a ceiling. */
const CREDIT = {
  description: `${RECENT_PROOF.description} Organisation admins raise credit up to the organisation’s credit ceiling.`,
  errors: ["authentication_required", "forbidden"],
};

/** What acts say that take a person's rank, or a part of it. */
const WITHDRAWS = {
  description:
    "Open invitations that the person could not send any more are revoked. So are admin keys that they could not make any more and whose secret they were told, unless `revoke_admin_keys` is false. Neither comes back by itself. The answer counts both.",
};

/** Everything under /dashboard/admin and /api/admin. */
export const administrationNotes: NotesByOperation = {
  "GET /dashboard/admin/projects": "Projects within the reader’s scope",
  "POST /dashboard/admin/projects": "Creates a project",
  "GET /dashboard/admin/projects/{project_id}": "A project with its members",
  "POST /dashboard/admin/projects/{project_id}": "Changes a project",
  "POST /dashboard/admin/projects/{project_id}/archive": "Puts a project away, or takes it back",
  "POST /dashboard/admin/projects/{project_id}/members": "Adds a person to a project",
  "POST /dashboard/admin/projects/{project_id}/members/{user_id}/remove": "Takes a person out of a project",
  "GET /dashboard/admin/users/export": {
    summary: "The filtered people as a file",
    otherAnswers: [{ contentType: "text/csv" }],
  },
  "GET /dashboard/admin/organisation": "Leads to one’s own organisation",
  "GET /dashboard/admin/organisations/merging": "What a merge of the chosen organisations would do",
  "GET /dashboard/admin/organisations/{org_id}": "An organisation with its departments and settings",
  "POST /dashboard/admin/organisations/{org_id}/delete": "Deletes an organisation, for browsers’ forms",
  "POST /dashboard/admin/organisations/{org_id}/departments": "Creates a department",
  "POST /dashboard/admin/organisations/{org_id}/departments/{department_id}": "Renames a department",
  "DELETE /dashboard/admin/organisations/{org_id}/departments/{department_id}": "Deletes an empty department",
  "POST /dashboard/admin/organisations/{org_id}/departments/{department_id}/delete":
    "Deletes an empty department, for browsers’ forms",
  "GET /dashboard/admin/users": "People within the reader’s scope",
  "GET /dashboard/admin/users/{user_id}": "A person",
  "POST /dashboard/admin/users/{user_id}/role": { summary: "Sets a person’s role", ...WITHDRAWS },
  "POST /dashboard/admin/users/{user_id}/billing-exempt": {
    summary: "Sets whether a person is charged",
    ...RECENT_PROOF,
  },
  "POST /dashboard/admin/users/{user_id}/credit-limit": {
    summary: "Sets how far a person’s wallet may go below zero",
    ...CREDIT,
  },
  "POST /dashboard/admin/users/{user_id}/monthly-budget": "Sets a person’s monthly budget",
  "POST /dashboard/admin/users/{user_id}/billing-config": {
    summary: "Sets who pays for a person, and up to how much",
    ...CREDIT,
  },
  "POST /dashboard/admin/users/{user_id}/status": { summary: "Activates, suspends or archives a person", ...WITHDRAWS },
  "POST /dashboard/admin/users/{user_id}/hard-delete": {
    summary: "Removes a person; the ledger keeps a pseudonym",
    ...RECENT_PROOF,
    description: `${RECENT_PROOF.description} ${WITHDRAWS.description}`,
  },
  "POST /dashboard/admin/users/{user_id}/org": { summary: "Moves a person to another organisation", ...WITHDRAWS },
  "POST /dashboard/admin/users/{user_id}/department": "Moves a person to another department",
  "GET /dashboard/admin/users/invite": "The page to invite people",
  "POST /dashboard/admin/users/invite": {
    summary: "Invites a person",
    description:
      "`delivery` says how the link goes out: by `mail`, or passed on by the `operator` where no mail server is set up. Only then, and only to those who run the installation, the answer holds the link (`url`).",
  },
  "POST /dashboard/admin/users/invite/{invite_id}/revoke": "Takes an invitation back",
  "POST /dashboard/admin/users/invite/{invite_id}/link": {
    summary: "Replaces the link of an open invitation by one to pass on by hand",
    ...RECENT_PROOF,
    description: `${RECENT_PROOF.description} The earlier link ends. An account that the new one opens has an unconfirmed address.`,
  },
  "GET /dashboard/admin/promotions": "Promotions",
  "POST /dashboard/admin/promotions/create": "Creates a promotion",
  "POST /dashboard/admin/promotions/{grant_id}/update": "Changes a promotion",
  "GET /dashboard/admin/organisations": "Organisations with their sums",
  "POST /dashboard/admin/organisations": "Creates an organisation",
  "POST /dashboard/admin/organisations/{org_id}": {
    summary: "Changes an organisation",
    description:
      "Changing `billing_exempt`, `credit_limit` (of its own wallet) or `credit_ceiling` (what its admins may give out) asks for a recent proof.",
    errors: ["authentication_required"],
  },
  "DELETE /dashboard/admin/organisations/{org_id}": {
    summary: "Deletes an organisation without people",
    errors: ["conflict"],
  },
  "POST /dashboard/admin/organisations/merge": { summary: "Merges organisations in one transaction", ...RECENT_PROOF },
  "GET /dashboard/admin/organisations/{org_id}/merge-data": "What a merge would touch",
  "POST /dashboard/admin/organisation/billing-user": {
    summary: "Names who pays for all members, or nobody",
    description:
      "Somebody else is asked first and pays once they accept (`nominated_user_id`). Naming oneself asks for a recent proof.",
    errors: ["authentication_required"],
  },
  "POST /dashboard/admin/organisation/monthly-budget": "Sets the organisation’s monthly budget",
  "POST /dashboard/admin/organisation/settings": "Sets how the organisation is billed",
  "GET /dashboard/admin/conversations": "Stored conversations",
  "GET /dashboard/admin/conversations/{conv_id}": "A stored conversation",
  "DELETE /api/admin/conversations/{conv_id}": "Deletes a stored conversation",
  "GET /dashboard/admin/prices": "Leads to the models",
  "POST /dashboard/admin/prices": "Changes a price",
  "GET /dashboard/admin/models": "Models, suppliers and prices",
  "POST /dashboard/admin/providers": "Adds a supplier",
  "POST /dashboard/admin/providers/{provider_id}/update": "Changes a supplier",
  "POST /dashboard/admin/providers/{provider_id}/delete": "Removes a supplier",
  "POST /dashboard/admin/autorouter/api-key": "Sets the autorouter of a key",
  "POST /dashboard/admin/autorouter/org": "Sets the autorouter of an organisation",
  "GET /dashboard/admin/api/key-rate-limit-state": "What a key’s rate limiter counts at this moment",
  "GET /dashboard/admin/api/usage": "Usage of one person, for charts",
  "GET /dashboard/admin/api/dashboard": "The admin overview, for charts",
  "GET /dashboard/admin/api/proxy-health": "Health of the suppliers’ credentials",
  "GET /api/admin/token-logs": "Events of the suppliers’ credentials",
};
