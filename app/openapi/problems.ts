import { z } from "zod";

const EnvelopedError = z.object({
  code: z.string().describe("Stable; programs read this. All codes: /error-codes.json."),
  type: z.string().describe("Category, such as permission_error."),
  message: z.string().describe("`<code> - <human_message>`"),
  human_message: z.string().describe("For people; may change."),
  param: z.string().optional().describe("The field at fault, where there is one."),
  details: z
    .looseObject({})
    .optional()
    .describe(
      "What programs read beside the message. With `budget_exceeded` and `billing_limit_reached`: `scope` and, in US dollars, `limit`, `spent`, `held`, `available` and `max_cost`; `max_input_tokens`, `max_output_tokens` and `max_tokens_that_fits` (null: none). Figures that the holder of the key may not know are left out.",
    ),
});

/** The gateway's error envelope. */
export const ErrorEnvelope = z.object({ error: EnvelopedError }).meta({ id: "ErrorEnvelope" });

/** The same for client libraries of the messages style. */
export const MessagesErrorEnvelope = z
  .object({
    type: z.literal("error"),
    error: EnvelopedError.extend({
      details: z
        .looseObject({})
        .optional()
        .describe("As in the chat style; or what the supplier says about the error, where libraries read it."),
    }),
  })
  .meta({ id: "MessagesErrorEnvelope" });

/** The portal's error body. */
export const PortalProblem = z
  .looseObject({ code: z.string(), message: z.string(), human_message: z.string() })
  .meta({ id: "PortalProblem" });

/** The body of status 422. */
export const ValidationProblem = z
  .object({
    detail: z.array(
      z.object({
        loc: z.array(z.union([z.string(), z.int()])).describe("Where: `body`, `query` or `path`, then the names."),
        msg: z.string(),
        type: z.string(),
      }),
    ),
    code: z.literal("validation_error"),
    message: z.string(),
    human_message: z.string(),
  })
  .meta({ id: "ValidationProblem" });

/** The body of status 422 of the management API, with the gateway's envelope. */
export const ManagementProblem = ValidationProblem.extend(ErrorEnvelope.shape).meta({ id: "ManagementProblem" });

/** Common fields of the portal's JSON responses. */
export const PortalAnswer = z.looseObject({ ok: z.literal(true) }).meta({ id: "PortalAnswer" });
