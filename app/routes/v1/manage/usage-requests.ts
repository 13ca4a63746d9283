import { z } from "zod";
import { USAGE_GROUPS } from "~/domain/usage/shared";
import { Id } from "~/http/body/fields";
import { RANGES, timeZoneNamed } from "~/values/time-range";
import { SPAN, usageFields } from "../../usage-query.server";
import { cursorOf, pageSize } from "./key-requests";

const Name = z.string().min(1).max(200);

const TimeZone = z
  .string()
  .max(100)
  .transform((name, context) => {
    const zone = timeZoneNamed(name);
    if (zone !== null) return zone;
    context.addIssue({ code: "custom", message: "must be the name of a time zone, such as Europe/Berlin" });
    return z.NEVER;
  });

/** Query of an organisation's usage. `since` and `until` are inclusive days in the time zone. */
export const ReadUsage = z
  .object({
    range: z.enum(RANGES).optional(),
    since: usageFields.since,
    until: usageFields.until,
    time_zone: TimeZone.default("UTC"),
    group_by: z.enum(USAGE_GROUPS.filter((group) => group !== "organisation")).default("model"),
    key_id: z
      .string()
      .regex(/^key_[0-9A-Za-z]{1,64}$/, "must be the id of a key")
      .optional(),
    user_id: Id.optional(),
    department_id: Id.optional(),
    project_id: Id.optional(),
    model: Name.optional(),
    supplier: Name.optional(),
    region: Name.optional(),
  })
  .refine(...SPAN);

const MAX_WALLET_ID = 2_147_483_647n;

export const ListWallets = z
  .object({ limit: pageSize(200).default(50), cursor: cursorOf("wallets", MAX_WALLET_ID).optional() })
  .transform(({ limit, cursor }) => ({ limit, afterId: cursor === undefined ? 0 : Number(cursor) }));
