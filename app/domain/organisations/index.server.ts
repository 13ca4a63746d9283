export { acceptInvite, type InviteLanding, readInvite } from "./accept-invite";
export {
  createOrganisation,
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
export { createDepartment, deleteDepartment, listDepartments, renameDepartment } from "./departments";
export { type OrganisationChoice, organisationsForSwitch } from "./for-switch";
export { foundOrganisation } from "./found";
export { foundFirstOrganisation, slugOf } from "./found-first";
export { createInvite, listInvites, type NewInvite, passOnInvite, revokeInvite } from "./invites";
export { type Look, lookOf } from "./look";
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
export { standsBelow as belongsToReseller } from "./store";
