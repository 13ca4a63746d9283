import { apiError } from "~/errors/app-error";
import type { HttpMethod } from "./declaration";

/**
 * Makes sure that an action runs for the methods that it is meant for: a page's is called for everything but GET and HEAD.
 * @throws AppError method_not_allowed
 */
export function requireMethod({ method }: Request, methods: readonly HttpMethod[] = ["POST"]): void {
  if (!methods.includes(method as HttpMethod)) throw apiError("method_not_allowed");
}
