import type { z } from "zod";
import { seal, unseal } from "~/sealing/sealing.server";
import { readCookie, setCookie } from "./cookies";

/** Returns a Set-Cookie header whose value only this portal can read or create. */
export const sealedCookie = (name: string, value: object, options: { maxAgeSeconds: number }): string =>
  setCookie(name, seal(JSON.stringify(value), associatedData(name)), options);

/** Returns the value of a sealed cookie; null without one, and for a forged one or one of another format. */
export function readSealedCookie<Schema extends z.ZodType>(
  request: Request,
  name: string,
  schema: Schema,
): z.output<Schema> | null {
  const sealed = readCookie(request, name);
  if (sealed === null) return null;
  try {
    return schema.safeParse(JSON.parse(unseal(sealed, associatedData(name)))).data ?? null;
  } catch {
    return null;
  }
}

const associatedData = (name: string): string => `cookie:${name}`;
