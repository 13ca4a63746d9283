import type { Rejection } from "~/domain/metering/shared";

/** Refusals of the same kind that follow one another, newest first, as the newest of them and how many they are. */
export function togetherOf(refusals: readonly Rejection[]): (Rejection & { times: number })[] {
  const lines: (Rejection & { times: number })[] = [];
  for (const refusal of refusals) {
    const last = lines.at(-1);
    if (last?.code === refusal.code && last.humanMessage === refusal.humanMessage) last.times += 1;
    else lines.push({ times: 1, ...refusal });
  }
  return lines;
}
