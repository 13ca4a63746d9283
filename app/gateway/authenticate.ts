import { verifyKey } from "~/domain/keys/index.server";
import type { Caller } from "~/domain/keys/shared";
import { apiError } from "~/errors/app-error";

/**
 * Who calls: the bearer token, or `x-api-key` where the dialect's clients send that.
 * @throws AppError missing_api_key, invalid_api_key, expired_api_key, account_status.
 */
export function authenticate(request: Request): Caller | Promise<Caller> {
  const authorization = request.headers.get("authorization") ?? "";
  const space = authorization.indexOf(" ");
  if (space > 0) {
    if (authorization.slice(0, space).toLowerCase() !== "bearer") throw apiError("invalid_api_key");
    return verifyKey(authorization.slice(space + 1).trim());
  }
  // HTTP takes the blank off "Bearer ", which is what an SDK without a key sends.
  if (authorization !== "" && authorization.toLowerCase() !== "bearer") throw apiError("invalid_api_key");
  const key = request.headers.get("x-api-key");
  if (key === null) throw apiError("missing_api_key");
  return verifyKey(key.trim());
}
