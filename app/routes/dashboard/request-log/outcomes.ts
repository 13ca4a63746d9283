import { REQUEST_OUTCOMES } from "~/domain/metering/shared";

/** What the log can be narrowed to: how finished requests went, or those that were refused before a supplier was called. */
export const LOG_OUTCOMES = [...REQUEST_OUTCOMES, "rejected"] as const;
