export {
  createOrganisationByAdmin,
  deleteOrganisation,
  listOrganisations,
  readOrganisation,
  updateOrganisation,
} from "./administer";
export {
  answerNomination,
  type BillingDuties,
  type Nominee,
  readBillingDuties,
  readNomination,
  setBillingUser,
  withdrawAsBillingUser,
} from "./billing-user";
export { brandingOf } from "./branding";
export { createFirstOrganisation } from "./create-first-organisation";
export { createOrganisation } from "./create-organisation";
export { organisationsForSwitch } from "./for-switch";
export {
  changeOrganisationGuardrails,
  changeOrganisationGuardrailWebhook,
  readOrganisationGuardrails,
} from "./guardrails";
export { acceptInvite, type InviteLanding, readInvite } from "./invites/accept-invite";
export { createInvite, inviteById, listInvites, passOnInvite, revokeInvite } from "./invites/invites";
export { mailSenderOf } from "./mail-sender";
export { type MergeData, mergeOrganisations, readMergeData } from "./merge";
export { listNamed } from "./named-store";
export { createDepartment, deleteDepartment, listDepartments, renameDepartment } from "./parts/departments";
export { setDepartmentBudget, setProjectBudget } from "./parts/part-budgets";
export {
  addMember,
  archiveProject,
  createProject,
  listProjects,
  type MemberRow,
  type ProjectRow,
  readProject,
  removeMember,
  updateProject,
} from "./parts/projects";
export {
  listPossiblePayers,
  organisationOfDomain,
  readConversationSettings,
  readOrganisationQuality,
  setOrganisationAutorouter,
  setOrganisationBudget,
  setOrganisationConversations,
  setOrganisationQuality,
  updateSettings,
} from "./settings";
export { isRankedBelow as belongsToReseller } from "./store";
