import { z } from "zod";
import type { Withdrawn } from "~/domain/identity/index.server";
import { parseUsd } from "~/money";

const LARGEST_ID = 2_147_483_647;

/** An id in a path, a query or a form. */
export const Id = z
  .union(
    [
      z.int(),
      z
        .string()
        .regex(/^\d{1,10}$/, "must be a whole number")
        .transform(Number),
    ],
    "must be a whole number",
  )
  .pipe(z.number().int().min(1, "must be a positive number").max(LARGEST_ID, "is too large"));

/** The same, or nothing: an empty choice of a form, or null. */
export const IdOrNone = z.union([z.literal("").transform(() => null), z.null(), Id], "must be a whole number or empty");

/** An amount in US dollars as nano-USD, not negative, at most nine decimals. */
export const Usd = z
  .union([z.string(), z.number()], "must be an amount in US dollars")
  .transform((amount) =>
    String(amount)
      .trim()
      .replace(/^\$\s*/, ""),
  )
  .transform((text, context) => {
    const nanoUsd = parseUsd(text);
    if (nanoUsd !== null && nanoUsd >= 0n) return nanoUsd;
    context.addIssue({ code: "custom", message: "Enter an amount in US dollars such as 250 or 12.50." });
    return z.NEVER;
  });

/** The same, or no limit. */
export const UsdOrNone = z.union([z.literal("").transform(() => null), z.null(), Usd]);

/** What a checkbox, a choice or a program says for yes and no. */
export const Flag = z.union(
  [z.boolean(), z.enum(["on", "true", "1", "yes", "off", "false", "0", "no"]).transform((word) => YES.has(word))],
  "must be true or false",
);
const YES: ReadonlySet<string> = new Set(["on", "true", "1", "yes"]);

/**
 * Whether admin keys whose secret the person was told end as well, where they could not make them any more. Left out: yes.
 * A form sends its ticked box before a hidden "no", and the first counts.
 */
export const RevokeAdminKeys = Flag.default(true);

/** What an act has ended of what the person leaves behind, for programs. */
export const withdrawnAnswer = ({ adminKeysRevoked, invitesRevoked }: Withdrawn) => ({
  revoked_admin_keys: adminKeysRevoked,
  revoked_invitations: invitesRevoked,
});

/** A filter that an empty choice takes away. */
export const orNothing = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

export const SearchText = z
  .string()
  .trim()
  .max(200)
  .refine((text) => !/\p{Cc}/u.test(text), "contains characters that cannot be searched");

export const UserParams = z.object({ userId: Id });
export const OrganisationParams = z.object({ orgId: Id });
export const ProjectParams = z.object({ projectId: Id });
