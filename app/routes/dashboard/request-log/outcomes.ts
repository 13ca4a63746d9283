import { REQUEST_OUTCOMES } from "~/domain/request-log/shared";

/**
 * Outcomes by which a file of the log can be filtered: those of finished requests, and `rejected` before a supplier was
 * called.
 */
export const LOGGED_OUTCOMES = [...REQUEST_OUTCOMES, "rejected"] as const;

/** The page also lists unfinished requests. */
export const LOG_OUTCOMES = [...LOGGED_OUTCOMES, "in_flight"] as const;
