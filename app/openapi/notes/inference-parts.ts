import { z } from "zod";

/** Regions that may serve a single call. */
export const Region = z
  .string()
  .min(1)
  .nullish()
  .describe(
    "Where this call may be served: a region, or an area such as `eu`. Narrows the key’s lock, never widens it.",
  );

export const GatewayMetadata = z
  .looseObject({
    session_id: z
      .string()
      .optional()
      .describe("Keeps calls of one session on one route. The header X-Session-Id wins."),
    sticky_key: z.string().optional().describe("The same, where session_id is not there."),
  })
  .optional();

export const callHeaders = {
  "Idempotency-Key": {
    description:
      "Carried out and charged once, however often it is sent. A repetition gets the first answer, for 24 hours.",
    schema: { type: "string", pattern: "^[!-~]{1,255}$" },
  },
  "X-Session-Id": "Keeps calls of one session on one route, where the supplier’s prompt cache is.",
  "x-gw-fit-output":
    "`true`: a request that costs more than is left is carried out with a lower output ceiling instead of being refused, which the answer’s `x-gw-fitted-max-tokens` states. `false` turns off the key’s switch.",
  "x-gw-strict-params":
    "`true`: a field that only tunes the answer and that the supplier does not know is refused with `unsupported_parameter`, instead of being left out and named in the answer’s `x-gw-dropped-params`.",
  "x-client-request-id":
    "An id of the client's own, of up to 128 visible ASCII characters: the answer repeats it, and the log has it. `x-request-id` counts as one too.",
  "x-gw-autorouter": "How the model `auto` chooses: cheapest, fastest, balanced or quality.",
} as const;

/** Headers of a complete response. Streams have the first four, and tokens and cost as trailers for `TE: trailers`. */
export const receiptHeaders = {
  "x-gw-supplier": "The supplier that answered.",
  "x-gw-region": "The region in which it was served.",
  "x-gw-failover": "`true` when there was more than one attempt.",
  "x-gw-latency-ms": "Milliseconds to the first byte.",
  "x-gw-input-tokens": "Tokens in.",
  "x-gw-output-tokens": "Tokens out.",
  "x-gw-cost-usd": "What it cost: an exact decimal of US dollars.",
  "x-request-id": "The call, for the audit log and for support.",
  "x-client-request-id": "The client's own id of the request, where it sent one.",
} as const;

export const lockErrors = [
  "missing_api_key",
  "invalid_api_key",
  "expired_api_key",
  "model_not_found",
  "model_not_allowed",
  "capability_unsupported",
  "sovereign_route_unavailable",
  "rate_limit_exceeded",
  "budget_exceeded",
  "billing_limit_reached",
  "all_providers_exhausted",
  "idempotency_conflict",
  "operation_in_progress",
  "request_too_large",
] as const;
