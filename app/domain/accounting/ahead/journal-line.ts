import type { Settlement } from "../shared";
import { checkedText, checksum } from "./checked-line";

/** Encodes a settlement as one line: checksum, blank, JSON, line feed. A torn line has a wrong checksum. */
export function writeSettlement(settlement: Settlement): string {
  const json = JSON.stringify(settlement, (_, value) => (typeof value === "bigint" ? value.toString() : value));
  return `${checksum(json)} ${json}\n`;
}

/** Reads such a line of this or an older release; null when it is torn. */
export function parseSettlement(line: string): Settlement | null {
  const json = checkedText(line);
  if (json === null) return null;
  const { counterfactualNanoUsd: without, ...read } = JSON.parse(json) as Settlement & {
    costNanoUsd: string;
    startedAt: string;
    counterfactualNanoUsd?: string | null;
  };
  return {
    ...read,
    costNanoUsd: BigInt(read.costNanoUsd),
    startedAt: new Date(read.startedAt),
    ...(without ? { counterfactualNanoUsd: BigInt(without) } : {}),
  };
}
