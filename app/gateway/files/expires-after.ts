import { config } from "~/config.server";
import { apiError } from "~/errors/app-error";

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** Maximum of the format. */
const MAX_SECONDS = 30 * DAY;

/**
 * Returns the lifetime of a file in seconds: the installation's maximum, or less if its client requests less (`null`:
 * no request).
 * @throws AppError invalid_expires_after
 */
export function secondsAfter(requested: { anchor?: unknown; seconds?: unknown } | null): number {
  const maximum = config().files.days * DAY;
  if (requested === null) return maximum;
  const { anchor, seconds } = requested;
  if (anchor !== "created_at" || typeof seconds !== "number" || !Number.isInteger(seconds))
    throw apiError("invalid_expires_after", { param: "expires_after" });
  if (seconds < HOUR || seconds > MAX_SECONDS) throw apiError("invalid_expires_after", { param: "expires_after" });
  return Math.min(seconds, maximum);
}
