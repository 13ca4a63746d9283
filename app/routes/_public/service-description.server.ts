import { createHash } from "node:crypto";
import type { ServerBuild } from "react-router";
import { config } from "~/config.server";
import { describeService } from "~/openapi/describe-service";
import type { OpenApiDocument, ServedRow } from "~/openapi/shared";

export type ServiceDescription = { document: OpenApiDocument; text: string; etag: string };

let current: Promise<ServiceDescription> | null = null;

/** Returns the API description of everything that this process serves. Built once; in development on every request. */
export function serviceDescription(): Promise<ServiceDescription> {
  if (current === null || import.meta.env.DEV) current = readService();
  return current;
}

async function readService(): Promise<ServiceDescription> {
  const build = (await import("virtual:react-router/server-build")) as unknown as ServerBuild;
  const document = describeService(rowsOf(build.routes), config().baseUrl);
  const text = JSON.stringify(document);
  return { document, text, etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
}

/** Returns all URLs of the build with their modules, in the order of the route table. */
export function rowsOf(routes: ServerBuild["routes"]): ServedRow[] {
  return Object.values(routes).flatMap((route) => {
    if (!route || (route.path === undefined && !route.index) || route.id === "root") return [];
    return [{ path: pathOf(route.id, routes), module: route.module }];
  });
}

function pathOf(id: string, routes: ServerBuild["routes"]): string {
  const parts: string[] = [];
  for (let route = routes[id]; route; route = route.parentId ? routes[route.parentId] : undefined)
    if (route.path) parts.unshift(route.path.replace(/^\/|\/$/g, ""));
  return parts.filter(Boolean).join("/");
}
