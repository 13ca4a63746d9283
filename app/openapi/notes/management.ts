import { z } from "zod";
import { SETTING_OUTPUTS } from "~/domain/keys/shared";
import type { NotesByOperation } from "../shared";
import { repeatable } from "./repeatable";

const IssuedKey = z
  .looseObject({
    id: z.string().describe("`key_…`"),
    key: z.string().describe("The secret, shown this one time."),
    name: z.string(),
    created: z.iso.datetime(),
  })
  .meta({ id: "IssuedKey" });

const Key = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    kind: z.enum(["inference", "admin"]),
    status: z.enum(["active", "suspended", "expired", "revoked"]),
    budget_limit: z.number().nullable(),
    budget_used: z.number(),
    budget_remaining: z.number().nullable(),
    budget_period: z.enum(["daily", "monthly", "rolling"]).nullable(),
    resets_at: z.iso.datetime().nullable(),
    ...SETTING_OUTPUTS,
    created: z.iso.datetime(),
    rotated_at: z.iso.datetime().nullable(),
    previous_valid_until: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
    key_hint: z.string().describe("Beginning and end of the secret."),
  })
  .meta({ id: "Key" });

const AuditEntry = z
  .looseObject({
    timestamp: z.iso.datetime(),
    key_id: z.string(),
    model: z.string(),
    supplier: z.string(),
    region: z.string(),
    input_tokens: z.int(),
    output_tokens: z.int(),
    cost_usd: z.number(),
    latency_ms: z.int(),
    request_id: z.string(),
    not_charged: z
      .enum(["sandbox", "exempt"])
      .nullable()
      .describe("Why no wallet was charged: a sandbox answered, or the payer is exempt from billing."),
  })
  .meta({ id: "AuditEntry" });

const page = <Row extends z.ZodType>(row: Row) =>
  z.object({ data: z.array(row), next_cursor: z.string().nullable().describe("For `cursor`; null on the last page.") });

const aKey = { key_id: "`key_…`, as the key was created with." };

/** Keys and the audit log, with an admin key. */
export const managementNotes: NotesByOperation = {
  "GET /v1/manage/keys": {
    summary: "List keys, newest first",
    answer: page(Key),
    parameters: { limit: "1 to 200.", cursor: "`next_cursor` of the page before.", status: "Only keys in this state." },
  },
  "POST /v1/manage/keys": {
    headers: repeatable,
    summary: "Create a key",
    description: "Only `name` is required. This response contains the secret; it is not shown again.",
    answer: IssuedKey,
    example: { name: "search team", budget_limit: 25.5, budget_period: "monthly", rate_limit_rpm: 120 },
  },
  "GET /v1/manage/keys/{key_id}": {
    summary: "Retrieve a key with its budget",
    answer: Key,
    parameters: aKey,
    errors: ["not_found"],
  },
  "PATCH /v1/manage/keys/{key_id}": {
    summary: "Update a key",
    description: "Only the fields you send change. Takes effect within a second.",
    answer: Key,
    parameters: aKey,
    example: { budget_limit: 40 },
    errors: ["not_found", "conflict"],
  },
  "DELETE /v1/manage/keys/{key_id}": {
    summary: "Revoke a key permanently",
    answer: Key,
    parameters: aKey,
    errors: ["not_found", "conflict"],
  },
  "POST /v1/manage/keys/{key_id}/rotate": {
    headers: repeatable,
    summary: "Rotate a key’s secret",
    answer: IssuedKey,
    parameters: aKey,
    mayBeEmpty: true,
    example: { overlap_seconds: 3600 },
  },
  "GET /v1/manage/audit-logs": {
    summary: "List requests, newest first, as JSON or CSV",
    answer: page(AuditEntry),
    otherAnswers: [{ contentType: "text/csv" }],
    parameters: {
      key_id: "Calls of this key.",
      model: "Calls that this model served.",
      supplier: "Calls that this supplier served.",
      region: "Calls that were served there.",
      since: "From this moment on: ISO 8601.",
      until: "Before this moment.",
      limit: "1 to 1000; a page has 100 without it, a file has everything.",
      cursor: "`next_cursor` of the page before.",
    },
  },
};
