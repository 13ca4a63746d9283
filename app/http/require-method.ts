import { apiError } from "~/errors/app-error";
import type { HttpMethod } from "./declaration";

/**
 * Rejects a request to an action by another method. React Router calls a page's action for every method but GET and
 * HEAD.
 * @throws AppError method_not_allowed
 */
export function requireMethod({ method }: Request, methods: readonly HttpMethod[] = ["POST"]): void {
  if (!methods.includes(method as HttpMethod)) throw apiError("method_not_allowed");
}
