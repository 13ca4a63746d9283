export { acceptInvite, type InviteLanding, readInvite } from "./accept-invite";
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
export { type Branding, brandingOf } from "./branding";
export { createOrganisation } from "./create-organisation";
export { createDepartment, deleteDepartment, listDepartments, renameDepartment } from "./departments";
export { type OrganisationChoice, organisationsForSwitch } from "./for-switch";
export { foundFirstOrganisation, slugOf } from "./found-first";
export { createInvite, listInvites, type NewInvite, passOnInvite, revokeInvite } from "./invites";
export { type Merge, type MergeData, type MergeOutcome, mergeOrganisations, readMergeData } from "./merge";
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
} from "./projects";
export {
  listPossiblePayers,
  type OrganisationSettings,
  organisationOfDomain,
  setOrganisationBudget,
  updateSettings,
} from "./settings";
export { isRankedBelow as belongsToReseller } from "./store";
