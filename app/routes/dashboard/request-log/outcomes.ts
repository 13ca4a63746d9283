import { REQUEST_OUTCOMES } from "~/domain/metering/shared";

/** What a file of the log can be narrowed to: how finished requests went, or those that were refused before a supplier was called. */
export const LOGGED_OUTCOMES = [...REQUEST_OUTCOMES, "rejected"] as const;

/** The page also lists those that have not ended. */
export const LOG_OUTCOMES = [...LOGGED_OUTCOMES, "in_flight"] as const;
