import { config } from "~/config.server";
import type { Caller } from "~/domain/keys/shared";
import { apiError } from "~/errors/app-error";
import type { RoutePlan } from "../route/route-plan";
import { MinuteWindows } from "./minute-windows";

const windows = new MinuteWindows();

/**
 * Whether a payer that would be charged for other calls is not charged for this one: every route of its plan is a sandbox, which asks no
 * model, so that it cannot come to a supplier that costs the operator anything.
 */
export const isFreeSandbox = ({ exempt }: Pick<Caller, "exempt">, { routes }: Pick<RoutePlan, "routes">): boolean =>
  !exempt && config().sandboxFreeRpm > 0 && routes.every(({ supplier }) => supplier.kind === "sandbox");

/**
 * Counts such a call of an organisation; returns what takes it back, for one that is not admitted after all. Each process counts its own.
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
