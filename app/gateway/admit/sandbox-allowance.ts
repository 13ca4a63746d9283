import { config } from "~/config.server";
import type { Caller } from "~/domain/keys/shared";
import { apiError } from "~/errors/app-error";
import type { RoutePlan } from "../route/route-plan";
import { MinuteWindows } from "./minute-windows";

const windows = new MinuteWindows();

/**
 * Whether a payer who is normally charged is not charged for this call. True if every route of the plan is a sandbox:
 * it calls no model, so the call cannot reach a supplier that costs the operator money. See docs/decisions/058.
 */
export const isFreeSandbox = ({ exempt }: Pick<Caller, "exempt">, { routes }: Pick<RoutePlan, "routes">): boolean =>
  !exempt && config().sandboxFreeRpm > 0 && routes.every(({ supplier }) => supplier.kind === "sandbox");

/**
 * Counts a sandbox call of an organisation and returns the function that takes it back, for a call that is not admitted
 * after all. Each process counts its own calls.
 * @throws AppError rate_limit_exceeded
 */
export function countFreeSandbox({ organisationId }: Pick<Caller, "organisationId">): () => void {
  const { sandboxFreeRpm } = config();
  const now = performance.now();
  const waitSeconds = windows.take(organisationId, sandboxFreeRpm, now);
  if (waitSeconds === 0) return () => windows.giveBack(organisationId, now);
  throw apiError("rate_limit_exceeded", {
    userMessage: `Requests to the sandbox are not charged, and limited to ${sandboxFreeRpm} a minute for all keys of the organisation. Try again in ${waitSeconds} seconds.`,
    retryAfterSeconds: waitSeconds,
  });
}
