import { declarationOf, HTTP_METHODS, type HttpMethod } from "~/http/declaration";
import type { Operation, ServedRow } from "./shared";

// The specification ends these in a slash; the server answers both spellings.
const ENDS_IN_SLASH = /^\/oauth\/[^/]+\/login\/callback$/;

/** The path as it is published: `/dashboard/keys/{key_id}` for `dashboard/keys/:keyId`. */
export function publishedPath(path: string): string {
  const plain = `/${path}`.replace(/:(\w+)/g, (_, name: string) => `{${snakeCase(name)}}`);
  return ENDS_IN_SLASH.test(plain) ? `${plain}/` : plain;
}

/** The name of a path parameter as it is published. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The operations of one row: what its handlers declare, else what a page or a bare handler can be asked. */
export function operationsOf({ path, module }: ServedRow): Operation[] {
  // A catch-all answers what does not exist, and tools of development are not served to anybody.
  if (path.endsWith("*") || path.startsWith("dev/")) return [];
  return methodsOf(module).map((method) => ({ method, path: publishedPath(path) }));
}

export function methodsOf({ loader, action, default: component }: ServedRow["module"]): HttpMethod[] {
  const said = [loader, action].flatMap((handler) => declarationOf(handler)?.methods ?? []);
  const methods = new Set<HttpMethod>(said);
  if (component !== undefined || (loader !== undefined && declarationOf(loader) === null)) methods.add("GET");
  if (action !== undefined && action !== loader && declarationOf(action) === null) methods.add("POST");
  return HTTP_METHODS.filter((method) => methods.has(method));
}

/** Whether the row is a page: browsers get HTML. */
export const isPage = ({ module }: ServedRow): boolean => module.default !== undefined;
