import type { Rejection } from "~/domain/metering/shared";

/** Refusals of the same kind that follow one another, newest first, as the newest of them and how many they are. */
export function togetherOf(refusals: readonly Rejection[]): Rejection[] {
  const lines: Rejection[] = [];
  for (const refusal of refusals) {
    const last = lines.at(-1);
    if (last?.code === refusal.code && last.humanMessage === refusal.humanMessage) last.times += refusal.times;
    else lines.push({ ...refusal });
  }
  return lines;
}
