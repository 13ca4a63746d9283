import type { Supplier } from "~/domain/catalogue/shared";

type Of = Pick<Supplier, "extras">;

/** Adds the supplier's configured query parameters to a path. */
export function withQuery(path: string, { extras }: Of): string {
  if (extras === undefined) return path;
  const added = Object.entries(extras.query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return added.length === 0 ? path : `${path}${path.includes("?") ? "&" : "?"}${added.join("&")}`;
}

/** Returns the header for an API key: the supplier's own key header if it has one, else a bearer token. */
export const keyHeader = (secret: string, { extras }: Of): readonly [name: string, value: string] =>
  extras === undefined || extras.keyHeader === null
    ? ["authorization", `Bearer ${secret}`]
    : [extras.keyHeader, secret];

/**
 * Returns the values to redact in a supplier's errors, in addition to a key in one of the usual headers. A short
 * parameter, such as a version, is not secret, and its redaction would make the error unclear.
 */
export function secretsOf({ extras }: Of, key: string | null = null): readonly string[] {
  if (extras === undefined) return [];
  const parameters = Object.values(extras.query).filter((value) => value.length >= 16);
  return [...Object.values(extras.headers), ...parameters, ...(key === null ? [] : [key])];
}

// Encoding of `{model}` in a parsed URL.
const MODEL = "%7Bmodel%7D";

/** Inserts the upstream model's name into a base path with a placeholder. */
export const pathForModel = (basePath: string, upstreamModel: string): string =>
  basePath.replace(MODEL, () => encodeURIComponent(upstreamModel));

/** Returns the base path for requests without a model: removes the placeholder and the collection before it. */
export const pathForNoModel = (basePath: string): string => basePath.replace(/\/[^/]+\/%7Bmodel%7D/, "");
