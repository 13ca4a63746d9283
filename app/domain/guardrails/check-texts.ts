import { TimeSlice } from "~/values/time-slice";
import { type CompiledRule, TextScan } from "./scan";
import type { GuardrailHit, Side } from "./shared";

/** Maximum of one step before the time is checked, in characters and in work: a few milliseconds. */
const PIECE_CHARACTERS = 16_384;
const PIECE_WORK = 100_000;
/** Maximum work for one request or answer, in characters of the cheapest matcher. */
const MAX_WORK = 200_000_000;

/** Result of the rules. `texts`: the texts to send, redacted, in their order; unchanged if `changed` is false. */
export type Checked = {
  texts: string[];
  changed: boolean;
  hits: GuardrailHit[];
  /** The rule that refused; `"work"`: the texts exceed the maximum work. Null: not refused. */
  refusedBy: CompiledRule | "work" | null;
};

/** Applies rules to each text separately, a few milliseconds at a time. Stops at the first refusal. */
export async function checkTexts(
  rules: readonly CompiledRule[],
  { texts, side, maxWork = MAX_WORK }: { texts: readonly string[]; side: Side; maxWork?: number },
): Promise<Checked> {
  const slice = new TimeSlice();
  const counts = rules.map(() => 0);
  const out: string[] = [];
  let [changed, work] = [false, 0];
  let refusedBy: Checked["refusedBy"] = null;
  for (const text of texts) {
    const scan = new TextScan(rules);
    let clean = "";
    for (let at = 0; at <= text.length && scan.refusedBy === null; at += PIECE_CHARACTERS) {
      const isLast = at + PIECE_CHARACTERS > text.length;
      clean += scan.push(text.slice(at, at + PIECE_CHARACTERS), isLast ? 0 : PIECE_WORK);
      if (isLast) clean += scan.end(PIECE_WORK);
      for (;;) {
        if (slice.isOver) await slice.next();
        if (work + scan.work > maxWork)
          return { texts: [], changed, hits: hitsOf(rules, counts, side), refusedBy: "work" };
        if (!scan.isPending) break;
        clean += scan.goOn(PIECE_WORK);
      }
    }
    work += scan.work;
    for (const [index, count] of scan.counts.entries()) counts[index]! += count;
    changed ||= scan.changed;
    out.push(scan.changed ? clean : text);
    refusedBy = scan.refusedBy;
    if (refusedBy !== null) break;
  }
  return { texts: out, changed, hits: hitsOf(rules, counts, side), refusedBy };
}

/** Returns the number of matches of each rule with a match. */
export const hitsOf = (rules: readonly CompiledRule[], counts: readonly number[], on: Side): GuardrailHit[] =>
  rules.flatMap(({ name, by, action }, index) => {
    const count = counts[index]!;
    return count === 0 ? [] : [{ name, by, on, action, count }];
  });
