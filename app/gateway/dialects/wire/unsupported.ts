import { AppError, apiError, type ErrorDetails } from "~/errors/app-error";

/**
 * The refusal of something that the other dialect cannot say. `reason` is a sentence without the field's name, `details`
 * what client libraries read of it.
 */
export function unsupported(param: string, reason?: string, details?: ErrorDetails): AppError {
  const more = reason === undefined ? "" : ` ${reason}`;
  return apiError("unsupported_parameter", {
    userMessage: `The field ${param} cannot be used with this model: its supplier speaks another dialect, which has nothing like it.${more}`,
    param,
    details,
  });
}

/** The refusal of a conversation in which nothing is said but blank text. `param`: its first message. */
export class NothingSaid extends AppError {
  constructor(param?: string) {
    super("invalid_request", { userMessage: "The conversation says nothing: send a message with some text.", param });
  }
}

/** The refusal of a field that is not of the shape its dialect gives it. */
export function malformed(param: string, rule: string): AppError {
  return apiError("invalid_request", { userMessage: `The field ${param} ${rule}.`, param });
}

/**
 * Refuses every member of a body that is neither read nor known to be harmless: what is not understood is never left
 * out in silence. Members that say nothing (null) pass.
 */
export function refuseOthers(body: Readonly<Record<string, unknown>>, parsedConversation: ReadonlySet<string>): void {
  for (const name of Object.keys(body)) {
    if (!parsedConversation.has(name) && body[name] != null) throw unsupported(name);
  }
}
