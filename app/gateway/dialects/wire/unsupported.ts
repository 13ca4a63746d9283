import { AppError, apiError, type ErrorDetails } from "~/errors/app-error";

/**
 * Returns the error for a field that the other dialect cannot express. `reason` is a sentence without the field's name;
 * `details` are for client libraries.
 */
export function unsupported(param: string, reason?: string, details?: ErrorDetails): AppError {
  const more = reason === undefined ? "" : ` ${reason}`;
  return apiError("unsupported_parameter", {
    userMessage: `The field ${param} cannot be used with this model: its supplier speaks another dialect, which has nothing like it.${more}`,
    param,
    details,
  });
}

/** The error for a conversation that contains only blank text. `param` names its first message. */
export class EmptyConversationError extends AppError {
  constructor(param?: string) {
    super("invalid_request", { userMessage: "The conversation says nothing: send a message with some text.", param });
  }
}

/** Returns the error for a field whose value does not have the shape that its dialect defines. */
export function malformed(param: string, rule: string): AppError {
  return apiError("invalid_request", { userMessage: `The field ${param} ${rule}.`, param });
}

/**
 * Rejects every member of a body that is neither translated nor known to be harmless, so that no unknown field is
 * dropped silently. Null members pass.
 */
export function refuseOthers(body: Readonly<Record<string, unknown>>, parsedConversation: ReadonlySet<string>): void {
  for (const name of Object.keys(body)) {
    if (!parsedConversation.has(name) && body[name] != null) throw unsupported(name);
  }
}
