import type { Route } from "~/domain/catalogue/shared";
import { apiError } from "~/errors/app-error";
import { editMembers } from "~/http/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import { ownFieldEdits } from "../wire/body-checks";
import { isObject } from "../wire/reading";
import type { ResponsesBody, ResponsesSource } from "./read";
import { plainName } from "./read-conversation";
import { isSealedHere } from "./sealed-thoughts";

/** Tools that run at the client. */
const CLIENTS_TOOLS = new Set<unknown>(["function", "custom", "namespace", "local_shell", "shell", "apply_patch"]);

/**
 * The body for a supplier of the same dialect: the client's own bytes, its model's name there, nothing of gw's own. The
 * supplier is asked to keep nothing: its account is everybody's, and what it kept for one client another could ask for.
 * @throws AppError unsupported_parameter where the choice is a tool that is left out.
 */
export function forwardResponses(inference: InferenceRequest, route: Route): string {
  const { text, members, body } = inference.source as ResponsesSource;
  const edits = ownFieldEdits({ body, members }, route);
  if (body.store !== false) edits.store = "false";
  // What it goes on with is in the input by now.
  if (Object.hasOwn(body, "previous_response_id")) edits.previous_response_id = null;
  const input = body.input.filter(canGo);
  if (input.length < body.input.length) edits.input = JSON.stringify(input);
  if (droppedTools(body).length > 0) {
    refuseDemand(body);
    const tools = (body.tools ?? []).filter(runsAtClient);
    edits.tools = tools.length === 0 ? null : JSON.stringify(tools);
    if (tools.length === 0 && Object.hasOwn(body, "tool_choice")) edits.tool_choice = null;
  }
  return editMembers(text, members, edits);
}

/** Tools that the supplier would run and bill by use: they have no price here. */
export function droppedTools({ tools }: ResponsesBody): readonly string[] {
  const kinds = (tools ?? []).filter((tool) => !runsAtClient(tool)).map((tool) => (isObject(tool) ? tool.type : null));
  return [...new Set(kinds)].map((kind) => `tools.${plainName(String(kind))}`);
}

const runsAtClient = (tool: unknown) => isObject(tool) && CLIENTS_TOOLS.has(tool.type);

function refuseDemand({ tools, tool_choice }: ResponsesBody): void {
  const named = isObject(tool_choice) ? tool_choice.type : tool_choice;
  const isDemanded =
    named === "required" ? !(tools ?? []).some(runsAtClient) : !MILD.has(named) && !CLIENTS_TOOLS.has(named);
  if (!isDemanded) return;
  throw apiError("unsupported_parameter", {
    userMessage: "The tool that tool_choice demands would run at the supplier, and has no price here.",
    param: "tool_choice",
  });
}

const MILD = new Set<unknown>([undefined, null, "auto", "none", "allowed_tools"]);

/** Whether an item means anything to a supplier that keeps nothing: not a thought without its text, nor one of another supplier's. */
function canGo(item: unknown): boolean {
  if (!isObject(item) || item.type !== "reasoning") return true;
  const { encrypted_content } = item;
  return typeof encrypted_content === "string" && !isSealedHere(encrypted_content);
}
