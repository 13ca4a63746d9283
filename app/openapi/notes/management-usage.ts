import { z } from "zod";
import type { NotesByOperation } from "../shared";

const counters = {
  requests: z.int(),
  errors: z.int(),
  failovers: z.int(),
  input_tokens: z.int(),
  cached_input_tokens: z.int(),
  cache_write_tokens: z.int(),
  output_tokens: z.int(),
  reasoning_tokens: z.int(),
  charged_usd: z.number(),
  average_latency_ms: z.int().nullable(),
  average_first_byte_ms: z.int().nullable(),
};
const rejections = z
  .int()
  .nullable()
  .describe("Refused before a supplier was called, and no part of `requests`; null for models, suppliers and regions.");
const Bin = z.looseObject({ start: z.iso.datetime(), ...counters });
const group = {
  id: z.union([z.string(), z.int()]).nullable().describe("`key_…`, a number, or a name; null: none."),
  name: z.string().nullable(),
};

const Usage = z
  .looseObject({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    time_zone: z.string(),
    bucket: z.enum(["hour", "day"]),
    group_by: z.enum(["model", "key", "user", "department", "project", "supplier", "region"]),
    total: z.looseObject({ ...counters, rejections }),
    before: z.looseObject({ from: z.iso.datetime(), to: z.iso.datetime(), ...counters, rejections }),
    bins: z.array(Bin.extend({ rejections })),
    groups: z.array(z.looseObject({ ...group, ...counters, rejections })).describe("The dearest first, at most 100."),
    other_groups: z.looseObject({ count: z.int(), ...counters, rejections }).nullable(),
    rejection_codes: z.array(z.looseObject({ code: z.string(), rejections: z.int() })).nullable(),
    series: z.array(z.looseObject({ ...group, bins: z.array(Bin) })).describe("The five dearest groups over time."),
  })
  .meta({ id: "Usage" });

const Wallet = z
  .looseObject({
    id: z.int(),
    payer: z.enum(["organisation", "project"]),
    project_id: z.int().nullable(),
    project: z.string().nullable(),
    balance: z.number().describe("What is settled, in US dollars."),
    held: z.number().describe("Held for requests in flight."),
    credit_limit: z.number(),
    available: z
      .number()
      .describe(
        "What the next request can hold: balance − held + credit limit. Below zero while requests hold money that was taken back.",
      ),
    owed: z.number(),
    billing_exempt: z.boolean(),
  })
  .meta({ id: "Wallet" });

/** Usage and wallets, with an admin key. */
export const managementUsageNotes: NotesByOperation = {
  "GET /v1/manage/usage": {
    summary: "Retrieve usage by time and group",
    description: "The same sums as on the usage page. Without `since` and `until` the last 30 days.",
    answer: Usage,
    parameters: {
      range: "The last 24 hours, 7 days or 30 days.",
      since: "The first day, in the time zone.",
      until: "The last day, in the time zone; at most 366 days.",
      time_zone: "In which days begin, such as `Europe/Berlin`; `UTC` without it.",
      group_by: "What sums are told apart by.",
      key_id: "Calls of this key.",
      user_id: "Calls of this person.",
      department_id: "Calls of this department.",
      project_id: "Calls of this project.",
      model: "Calls that this model served.",
      supplier: "Calls that this supplier served.",
      region: "Calls that were served there.",
    },
    errors: ["not_found", "permission_denied"],
  },
  "GET /v1/manage/wallets": {
    summary: "List the wallets of the organisation and its projects",
    answer: z.object({
      data: z.array(Wallet),
      next_cursor: z.string().nullable().describe("For `cursor`; null on the last page."),
    }),
    parameters: { limit: "1 to 200.", cursor: "`next_cursor` of the page before." },
    errors: ["permission_denied"],
  },
};
