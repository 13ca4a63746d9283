import { z } from "zod";
import { declarationOf, type HttpMethod } from "~/http/declaration";
import { operationsOf } from "~/openapi/operations-of";
import { servedRows } from "../contract/served-rows";

export type UnsafeOperation = {
  method: HttpMethod;
  path: string;
  name: string;
  /** The declared field names of its body. */
  fields: readonly string[];
};

/** Returns all portal operations that change data, from the route table. */
export async function unsafeOperations(): Promise<UnsafeOperation[]> {
  const rows = (await servedRows()).filter(({ path }) => !/^(?:v1|v2|health|dev)(?:\/|$)|\*$/.test(path));
  return rows.flatMap((row) =>
    operationsOf(row)
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => {
        const body = declarationOf(row.module.action)?.body?.[method];
        return { method, path, name: `${method} ${path}`, fields: body ? fieldsOf(body) : [] };
      }),
  );
}

/** Returns all portal operations that only read and take a query, with their declared parameters. */
export async function queriedOperations(): Promise<Omit<UnsafeOperation, "method">[]> {
  const rows = (await servedRows()).filter(({ path }) => path.startsWith("dashboard") || path.startsWith("api/"));
  return rows.flatMap((row) => {
    const query = declarationOf(row.module.loader)?.query?.GET;
    if (query === undefined) return [];
    return operationsOf(row)
      .filter(({ method }) => method === "GET")
      .map(({ path }) => ({ path, name: `GET ${path}`, fields: fieldsOf(query) }));
  });
}

/** Fills the parameters of a published path. */
export const pathWith = (path: string, objects: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => objects[name] ?? "1999999999");

function fieldsOf(schema: z.ZodType): string[] {
  const described = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if ("properties" in node) for (const name of Object.keys(node.properties as object)) names.add(name);
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(described);
  return [...names];
}
