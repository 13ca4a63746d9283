/** Converts a date to the timestamp of OpenAI's formats: whole seconds since 1970. */
export const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1_000);
