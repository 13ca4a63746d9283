import { AppError } from "~/errors/app-error";
import { formatUsd, parseUsd } from "~/values/money";
import type { SqlLink } from "../link/sql-link";
import type { ReviewHold, ReviewResolution } from "../shared";
import { listReviews, resolveReview } from "./review";

const USAGE = `npm run reviews                                                    what is in review
npm run reviews -- settle <call> <cost in US dollars> <reason …>   the supplier has worked: this is what it costs
npm run reviews -- release <call> <reason …>                       no supplier has worked: the held money goes back
`;
const CALL_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Output of the command, and whether it succeeded. */
export type ReviewAnswer = { text: string; ok: boolean };

/**
 * The operator's command for calls with an unknown outcome: lists them, or resolves one by the supplier's own records. `actor` and
 * the reason are stored with the hold. A second resolution of a call fails, because it is no longer in review.
 */
export async function answerReviewCommand(
  link: SqlLink,
  [verb, callId = "", ...rest]: readonly string[],
  actor: string,
): Promise<ReviewAnswer> {
  if (verb === undefined) return { text: described(await listReviews(link), new Date()), ok: true };
  const asked = resolutionOf(verb, rest);
  if (asked === null || !CALL_ID.test(callId)) return { text: USAGE, ok: false };
  try {
    const { resolution, reason } = asked;
    const { chargedNanoUsd } = await resolveReview(link, { callId, resolution, actor, reason });
    const done = resolution.kind === "settle" ? `charged ${formatUsd(chargedNanoUsd)} USD` : "nothing is charged";
    return { text: `Resolved: ${done}.\n`, ok: true };
  } catch (problem) {
    if (problem instanceof AppError) return { text: `${problem.humanMessage}\n`, ok: false };
    throw problem;
  }
}

function resolutionOf(verb: string, rest: readonly string[]): { resolution: ReviewResolution; reason: string } | null {
  if (verb === "release") return withReason({ kind: "release" }, rest);
  const costNanoUsd = verb === "settle" ? parseUsd(rest[0] ?? "") : null;
  return costNanoUsd === null || costNanoUsd < 0n ? null : withReason({ kind: "settle", costNanoUsd }, rest.slice(1));
}

function withReason(resolution: ReviewResolution, words: readonly string[]) {
  const reason = words.join(" ").trim();
  return reason === "" ? null : { resolution, reason };
}

function described(holds: readonly ReviewHold[], now: Date): string {
  if (holds.length === 0) return "No call is in review.\n";
  const total = holds.reduce((sum, { amountNanoUsd }) => sum + amountNanoUsd, 0n);
  const calls = holds.length === 1 ? "1 call" : `${holds.length} calls`;
  const lines = holds.map((hold) => describedOne(hold, now));
  return `${calls} in review, holding ${formatUsd(total)} USD, the oldest first:\n\n${lines.join("\n\n")}\n\n${USAGE}`;
}

function describedOne(hold: ReviewHold, now: Date): string {
  const { callId, amountNanoUsd, admittedAt, keyId, organisationId, model, supplier, reason } = hold;
  const facts = [
    `since ${admittedAt.toISOString()} (${ageOf(now.getTime() - admittedAt.getTime())})`,
    `key ${keyId} of organisation ${organisationId}`,
    model === "" ? null : `model ${model} at ${supplier}`,
    reason === "" ? null : reason,
  ];
  return `${callId}  holds ${formatUsd(amountNanoUsd)} USD\n  ${facts.filter((fact) => fact !== null).join("; ")}${reachedText(hold)}`;
}

function reachedText({ inputTokens, outputTokens, checkpointCostNanoUsd: cost }: ReviewHold): string {
  if (inputTokens === null) return "\n  nothing is known of how far it came";
  const priced = cost === null ? "" : `, ${formatUsd(cost)} USD`;
  return `\n  had come to ${inputTokens} tokens in and ${outputTokens ?? 0} out${priced}`;
}

function ageOf(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}
