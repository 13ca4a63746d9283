import { declarationOf, HTTP_METHODS, type HttpMethod } from "~/http/declaration";
import type { Operation, ServedRow } from "./shared";

// The specification writes these paths with a final slash; the server accepts both forms.
const ENDS_IN_SLASH = /^\/oauth\/[^/]+\/login\/callback$/;

/** Returns the published form of a path: `/dashboard/keys/{key_id}` for `dashboard/keys/:keyId`. */
export function publishedPath(path: string): string {
  const plain = `/${path}`.replace(/:(\w+)/g, (_, name: string) => `{${snakeCase(name)}}`);
  return ENDS_IN_SLASH.test(plain) ? `${plain}/` : plain;
}

/** Returns the published name of a path parameter. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Returns the operations of one route: the declared methods of its handlers, else those of a page or an undeclared
 * handler.
 */
export function operationsOf({ path, module }: ServedRow): Operation[] {
  // Catch-all routes and development tools are not part of the API.
  if (path.endsWith("*") || path.startsWith("dev/")) return [];
  return methodsOf(module).map((method) => ({ method, path: publishedPath(path) }));
}

export function methodsOf({ loader, action, default: component }: ServedRow["module"]): HttpMethod[] {
  const declared = [loader, action].flatMap((handler) => declarationOf(handler)?.methods ?? []);
  const methods = new Set<HttpMethod>(declared);
  if (component !== undefined || (loader !== undefined && declarationOf(loader) === null)) methods.add("GET");
  if (action !== undefined && action !== loader && declarationOf(action) === null) methods.add("POST");
  return HTTP_METHODS.filter((method) => methods.has(method));
}

/** Whether a route is a page, which returns HTML to browsers. */
export const isPage = ({ module }: ServedRow): boolean => module.default !== undefined;
