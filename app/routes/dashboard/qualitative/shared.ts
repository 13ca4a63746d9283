/** Periods of the quality explorer: whole UTC days before the current one. */
export const QUALITY_DAYS = ["7", "30", "90"] as const;
