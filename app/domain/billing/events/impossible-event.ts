/** An event contradicts gw's records. Retries do not help, and an operator must examine it. */
export class ImpossibleEvent extends Error {}
