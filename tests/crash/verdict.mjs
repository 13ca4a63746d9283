/** Prices in nano-USD per token of the models under load. */
const INPUT_PRICE = 500n;
const OUTPUT_PRICE = 1_500n;

/**
 * Compares the gateway's books with the supplier's bill. Every line of the result is a defect.
 * @param {{
 *   bill: { id: string, promptTokens: number, completionTokens: number, fault: string }[],
 *   holds: { id: string, state: string, amount: string, captured: string, reason?: string | null }[],
 *   usage: { id: string, charged: string, cost: string, source: string, outcome: string }[],
 *   audit: object[],
 *   completed: Set<string>,
 * }} found `completed`: calls whose answer the client received completely
 * @returns {{ defects: string[], figures: Record<string, number | string> }}
 */
export function verdictOn({ bill, holds, usage, audit, completed }) {
  const defects = audit.map((row) => `the auditor: ${JSON.stringify(row)}`);
  const holdOf = new Map(holds.map((hold) => [hold.id, hold]));
  const usageOf = new Map();
  for (const row of usage) {
    if (usageOf.has(row.id)) defects.push(`${row.id} has two usage rows`);
    usageOf.set(row.id, row);
  }
  const billed = new Map();
  for (const entry of bill) billed.set(entry.id, (billed.get(entry.id) ?? 0n) + costOf(entry));

  let settledExactly = 0;
  let billedInReview = 0;
  for (const [id, cost] of billed) {
    const hold = holdOf.get(id);
    const row = usageOf.get(id);
    if (hold === undefined) defects.push(`${id} was dispatched without a hold`);
    else if (hold.state === "review") {
      billedInReview += 1;
      if (BigInt(hold.amount) < cost) defects.push(`${id} in review holds ${hold.amount}, but ${cost} was billed`);
    } else if (hold.state !== "settled")
      defects.push(`${id} was billed ${cost}, its hold is ${hold.state}: a charge is lost`);
    else if (row.source === "supplier" && BigInt(row.charged) !== cost) {
      defects.push(`${id} was billed ${cost} and charged ${row.charged}`);
    } else settledExactly += 1;
  }
  for (const row of usage) {
    if (BigInt(row.charged) > 0n && !billed.has(row.id))
      defects.push(`${row.id} was charged ${row.charged}, nobody billed it`);
    if (holdOf.get(row.id)?.captured !== row.charged) defects.push(`${row.id}: captured and charged differ`);
  }
  for (const { id, state } of holds) {
    if (state === "reserved" || state === "dispatched") defects.push(`${id} is still ${state}`);
    if (state === "settled" && !usageOf.has(id)) defects.push(`${id} is settled without a usage row`);
  }
  for (const id of completed) {
    if (holdOf.get(id)?.state !== "settled") defects.push(`${id} was answered to its end and is not settled`);
  }
  const spareGivenBack = holds.filter(({ state, reason }) => state === "released" && reason === "spare").length;
  const inReview = holds.filter(({ state }) => state === "review").length;
  return {
    defects,
    figures: {
      holds: holds.length,
      billed: billed.size,
      settledExactly,
      billedInReview,
      inReview,
      spareGivenBack,
      answered: completed.size,
    },
  };
}

/** @param {{ promptTokens: number, completionTokens: number }} entry */
const costOf = ({ promptTokens, completionTokens }) =>
  BigInt(promptTokens) * INPUT_PRICE + BigInt(completionTokens) * OUTPUT_PRICE;
