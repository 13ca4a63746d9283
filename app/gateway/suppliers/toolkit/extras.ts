import type { Supplier } from "~/domain/catalogue/shared";

type Of = Pick<Supplier, "extras">;

/** A path with the query parameters that every request to a supplier carries. */
export function withQuery(path: string, { extras }: Of): string {
  if (extras === undefined) return path;
  const added = Object.entries(extras.query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return added.length === 0 ? path : `${path}${path.includes("?") ? "&" : "?"}${added.join("&")}`;
}

/** The header that an API key goes in, as it is, where a supplier has one of its own; else as a bearer token. */
export const keyHeader = (secret: string, { extras }: Of): readonly [name: string, value: string] =>
  extras === undefined || extras.keyHeader === null
    ? ["authorization", `Bearer ${secret}`]
    : [extras.keyHeader, secret];

/**
 * What must not come back in what a supplier finds wrong, besides a key in one of the usual headers. A short parameter, such as a
 * version, is no secret, and an error without it is a riddle.
 */
export function secretsOf({ extras }: Of, key: string | null = null): readonly string[] {
  if (extras === undefined) return [];
  const parameters = Object.values(extras.query).filter((value) => value.length >= 16);
  return [...Object.values(extras.headers), ...parameters, ...(key === null ? [] : [key])];
}

// As the parser of addresses writes `{model}`.
const MODEL = "%7Bmodel%7D";

/** The base path with the upstream model's name where it has one. */
export const pathForModel = (basePath: string, upstreamModel: string): string =>
  basePath.replace(MODEL, () => encodeURIComponent(upstreamModel));

/** The base path of what is no affair of one model: without its name and the collection that it stands in. */
export const pathForNoModel = (basePath: string): string => basePath.replace(/\/[^/]+\/%7Bmodel%7D/, "");
