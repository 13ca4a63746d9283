import { type JsonObject, listAt, objectAt, textAt } from "../wire/events/reading";
import { isLocal, LOCAL_TOOLS, type LocalForm } from "./local-tools";

/** The call form of a client's tool: JSON arguments, a text, the search for more tools, or a tool with its own form. */
export type CallForm = "function" | "custom" | "search" | LocalForm;

/** A tool as the client knows it. Other dialects have no namespaces: their name combines namespace and name. */
export type ClientTool = { name: string; namespace: string | null; form: CallForm };

/** Name of the tool search that the client runs; it has no name in this dialect. */
const SEARCH = "tool_search";

/** Tools of a request and its history, by their names at suppliers of other dialects. */
export class ClientTools {
  readonly #tools = new Map<string, ClientTool>();
  readonly #plain: ReadonlySet<unknown>;

  /** `plain`: names in the request without a namespace, which no other tool may get. */
  constructor(plain: Iterable<unknown>) {
    this.#plain = new Set(plain);
  }

  /** Adds a tool and returns its name for suppliers. */
  add(tool: ClientTool): string {
    const name = this.nameOf(tool);
    this.#tools.set(name, tool);
    return name;
  }

  /** Returns the name of a tool for suppliers without adding it. */
  nameOf({ name, namespace, form }: ClientTool): string {
    if (form === "search") return this.#free(SEARCH);
    if (isLocal(form)) return this.#free(LOCAL_TOOLS[form].name);
    if (namespace === null || namespace === "") return name;
    return this.#free(namespace.endsWith("__") ? namespace + name : `${namespace}__${name}`);
  }

  /** Returns the tool with that name; an unknown one counts as a function. */
  of(name: string): ClientTool {
    return this.#tools.get(name) ?? { name, namespace: null, form: "function" };
  }

  /** Returns the names of all tools in a namespace. */
  within(namespace: string): string[] {
    return [...this.#tools].filter(([, tool]) => tool.namespace === namespace).map(([name]) => name);
  }

  #free(name: string): string {
    return this.#plain.has(name) ? this.#free(`${name}_`) : name;
  }
}

/** Returns the namespace of a call or tool; null if it has none. */
export const namespaceOf = ({ namespace }: JsonObject): string | null =>
  typeof namespace === "string" && namespace !== "" ? namespace : null;

/** Whether an item or tool is a tool search that the client runs, not the supplier. */
export const isClientSearch = ({ type, execution }: JsonObject): boolean =>
  typeof type === "string" && type.startsWith(SEARCH) && execution === "client";

/** A tool with its path in the request, its namespace, and a description of the namespace. */
export type PlacedTool = { tool: JsonObject; at: string; namespace: string | null; about: string | null };

/** Yields every tool of a list, including those in namespaces. The first tool of a namespace has its description. */
export function* eachTool(tools: unknown, at: string): Iterable<PlacedTool> {
  for (const [index, entry] of listAt(tools, at).entries()) {
    const path = `${at}[${index}]`;
    const tool = objectAt(entry, path);
    if (tool.type !== "namespace") yield { tool, at: path, namespace: null, about: null };
    else yield* toolsWithin(tool, path);
  }
}

function* toolsWithin({ name, description, tools }: JsonObject, at: string): Iterable<PlacedTool> {
  const namespace = textAt(name, `${at}.name`);
  for (const [index, entry] of listAt(tools, `${at}.tools`).entries()) {
    const path = `${at}.tools[${index}]`;
    const about = index === 0 && typeof description === "string" && description !== "" ? description : null;
    yield { tool: objectAt(entry, path), at: path, namespace, about };
  }
}
