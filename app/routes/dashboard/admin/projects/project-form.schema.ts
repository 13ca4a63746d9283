import { z } from "zod";
import { EmailField } from "~/domain/accounts/shared";
import { ProjectDescription, ProjectName } from "~/domain/organisations/shared";
import { Id } from "~/http/body/fields";

/** A new project; platform admins may choose its organisation. */
export const NewProjectForm = z.strictObject({
  name: ProjectName,
  description: ProjectDescription.default(""),
  org_id: Id.optional(),
});

export const ProjectForm = z.strictObject({ name: ProjectName.optional(), description: ProjectDescription.optional() });

/** A new member of a project. */
export const MemberForm = z.strictObject({ email: EmailField });
