/** How far back the quality explorer looks, in whole days of UTC before the current one. */
export const QUALITY_DAYS = ["7", "30", "90"] as const;
