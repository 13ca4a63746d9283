/** A moment as clients of OpenAI's formats know it: whole seconds since 1970. */
export const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1_000);
