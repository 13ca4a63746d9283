import { z } from "zod";
import { ROLES } from "~/domain/accounts/shared";
import { issue } from "~/errors/message";
import { Id, NO_SUCH_FIELD, OptionalId } from "~/http/body/fields";

const MAX_SOURCES = 50;
const RoleOf = z.enum(ROLES);

const SourceIds = z
  .union([z.string(), z.array(z.union([z.string(), z.number()]))], issue("problems:idList"))
  .transform((input): (string | number)[] =>
    (typeof input === "string" ? input.split(",") : input).map((id) => String(id).trim()).filter((id) => id !== ""),
  )
  .pipe(z.array(Id).min(1, issue("problems:mergeSource")).max(MAX_SOURCES));

/** The form of a merge: target and source organisations, the payer, and `role_{user_id}` for each owner or admin. */
export const MergeForm = z
  .object({
    target_org_id: Id,
    source_org_ids: SourceIds,
    billing_user_id: OptionalId.optional(),
    /** The confirmation box for people; programs may omit it. */
    sure: z.string().optional(),
  })
  .catchall(z.unknown())
  .transform(({ target_org_id: targetId, source_org_ids: sourceIds, billing_user_id, sure: _, ...rest }, context) => {
    const roles = new Map<number, z.output<typeof RoleOf>>();
    for (const [name, value] of Object.entries(rest)) {
      const id = /^role_(\d{1,10})$/.exec(name)?.[1];
      const role = RoleOf.safeParse(value);
      if (id === undefined) {
        context.addIssue({ code: "custom", path: [name], message: NO_SUCH_FIELD });
      } else if (value !== "" && !role.success) {
        context.addIssue({ code: "custom", path: [name], message: issue("problems:notOffered") });
      } else if (role.success) roles.set(Number(id), role.data);
    }
    return { targetId, sourceIds, roles, billingUserId: billing_user_id };
  });
