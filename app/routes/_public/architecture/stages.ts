/** What each stage does, and some of what it refuses with. */
export const STAGES = [
  {
    name: "Authenticate",
    does: "Verifies the key: its checksum without a look-up, its HMAC against the database or the memory of this process.",
    refuses: ["missing_api_key", "invalid_api_key", "expired_api_key"],
  },
  {
    name: "Route",
    does: "Reads the body in the client’s dialect and lists the suppliers that may have it: inside the key’s models and regions, with a price. Then puts them in an order by priority, weight, health and session.",
    refuses: ["invalid_request", "model_not_allowed", "sovereign_route_unavailable", "supplier_price_unresolved"],
  },
  {
    name: "Admit",
    does: "Places the hold: the most that the request can cost at its dearest route, in the rate window, every budget and the wallet. All or nothing, committed before anything is sent.",
    refuses: ["rate_limit_exceeded", "budget_exceeded", "billing_limit_reached"],
  },
  {
    name: "Call",
    does: "Sends the request. When a supplier fails before its first word, the next one is asked at once. After it there is never a second attempt.",
    refuses: ["all_providers_exhausted", "upstream_timeout", "upstream_error"],
  },
  {
    name: "Deliver",
    does: "Passes the answer on, word by word, and counts. A stream has exactly one exit, whoever leaves first.",
    refuses: ["stream_error", "stream_interrupted"],
  },
  {
    name: "Settle",
    does: "Books the true cost, frees the rest of the hold and writes the line of the request log: one step, once, also if the database is away for a while.",
    refuses: ["supplier_settlement_failed"],
  },
] as const;
