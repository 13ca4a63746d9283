import { verifyKey } from "~/domain/keys/index.server";
import type { Caller } from "~/domain/keys/shared";
import { apiError } from "~/errors/app-error";

/**
 * Returns the caller of a request: by the bearer token or, without one, by the `x-api-key` header.
 * @throws AppError missing_api_key, invalid_api_key, expired_api_key, account_status.
 */
export function authenticate(request: Request): Caller | Promise<Caller> {
  const authorization = request.headers.get("authorization") ?? "";
  const space = authorization.indexOf(" ");
  if (space > 0) {
    if (authorization.slice(0, space).toLowerCase() !== "bearer") throw apiError("invalid_api_key");
    return verifyKey(authorization.slice(space + 1).trim());
  }
  // An SDK without a key sends "Bearer " with a trailing blank, which HTTP trims.
  if (authorization !== "" && authorization.toLowerCase() !== "bearer") throw apiError("invalid_api_key");
  const key = request.headers.get("x-api-key");
  if (key === null) throw apiError("missing_api_key");
  return verifyKey(key.trim());
}
