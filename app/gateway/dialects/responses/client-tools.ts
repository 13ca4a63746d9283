import { type JsonObject, listAt, objectAt, textAt } from "../wire/reading";

/** How a tool of the client is called: with JSON, with a text, or as its search for more tools. */
export type CallForm = "function" | "custom" | "search";

/** A tool as the client knows it. Other dialects have no namespaces: there it has one name made of both. */
export type ClientTool = { name: string; namespace: string | null; form: CallForm };

/** The name of the search for tools that the client runs itself, which this dialect has no name for. */
const SEARCH = "tool_search";

/** The tools of a request and its history, by the names under which suppliers of other dialects know them. */
export class ClientTools {
  readonly #tools = new Map<string, ClientTool>();
  readonly #plain: ReadonlySet<unknown>;

  /** `plain`: the names that stand in the request without a namespace, which no other tool may get. */
  constructor(plain: Iterable<unknown>) {
    this.#plain = new Set(plain);
  }

  /** The name of a tool for suppliers. */
  add(tool: ClientTool): string {
    const name = this.nameOf(tool);
    this.#tools.set(name, tool);
    return name;
  }

  /** The same of a tool that need not be there. */
  nameOf({ name, namespace, form }: ClientTool): string {
    if (form === "search") return this.#free(SEARCH);
    if (namespace === null || namespace === "") return name;
    return this.#free(namespace.endsWith("__") ? namespace + name : `${namespace}__${name}`);
  }

  /** The tool of that name; one that is in no list is a function. */
  of(name: string): ClientTool {
    return this.#tools.get(name) ?? { name, namespace: null, form: "function" };
  }

  /** The names of all tools in a namespace. */
  within(namespace: string): string[] {
    return [...this.#tools].filter(([, tool]) => tool.namespace === namespace).map(([name]) => name);
  }

  #free(name: string): string {
    return this.#plain.has(name) ? this.#free(`${name}_`) : name;
  }
}

/** The namespace in which a call or a tool says that it is; null where it says none. */
export const namespaceOf = ({ namespace }: JsonObject): string | null =>
  typeof namespace === "string" && namespace !== "" ? namespace : null;

/** Whether the client itself runs the search for tools; else the supplier does. */
export const isClientSearch = ({ type, execution }: JsonObject): boolean =>
  typeof type === "string" && type.startsWith(SEARCH) && execution === "client";

/** A tool with its place, and the namespace it stands in. */
export type PlacedTool = { tool: JsonObject; at: string; namespace: string | null; about: string | null };

/** Every tool of a list, those of namespaces one by one. `about`: the namespace's own words, with its first tool. */
export function* eachTool(given: unknown, at: string): Iterable<PlacedTool> {
  for (const [index, entry] of listAt(given, at).entries()) {
    const place = `${at}[${index}]`;
    const tool = objectAt(entry, place);
    if (tool.type !== "namespace") yield { tool, at: place, namespace: null, about: null };
    else yield* toolsWithin(tool, place);
  }
}

function* toolsWithin({ name, description, tools }: JsonObject, at: string): Iterable<PlacedTool> {
  const namespace = textAt(name, `${at}.name`);
  for (const [index, entry] of listAt(tools, `${at}.tools`).entries()) {
    const place = `${at}.tools[${index}]`;
    const about = index === 0 && typeof description === "string" && description !== "" ? description : null;
    yield { tool: objectAt(entry, place), at: place, namespace, about };
  }
}
