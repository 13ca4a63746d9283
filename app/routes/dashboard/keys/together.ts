import type { Rejection } from "~/domain/request-log/shared";

/** Merges consecutive rejections of the same kind, newest first, into the newest with their total number. */
export function togetherOf(refusals: readonly Rejection[]): Rejection[] {
  const lines: Rejection[] = [];
  for (const refusal of refusals) {
    const last = lines.at(-1);
    if (last?.code === refusal.code && last.humanMessage === refusal.humanMessage) last.times += refusal.times;
    else lines.push({ ...refusal });
  }
  return lines;
}
