/** The header that makes a POST of the management API safe to repeat. */
export const repeatable = {
  "Idempotency-Key": {
    description:
      "Carried out once, however often it is sent. A repetition gets the first answer, for 24 hours; another request is refused with `idempotency_conflict`.",
    schema: { type: "string", pattern: "^[!-~]{1,255}$" },
  },
} as const;
