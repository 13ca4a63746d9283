import {
  type LongContextPrice,
  type PriceList,
  SERVICE_TIERS,
  type ServiceTier,
  type TierPrice,
} from "~/domain/catalogue/shared";

/** Token prices that replace the usual ones: above a number of input tokens, in a service tier, or both; nano-USD. */
export type OtherPrice = {
  tier: ServiceTier | null;
  askedOnly: boolean;
  above: number | null;
  inputNanoUsd: bigint;
  cachedInputNanoUsd: bigint;
  outputNanoUsd: bigint;
};

/** Returns the prices of a price list for long inputs and other service tiers. */
export function otherPrices({ longContext = [], tiers = {} }: PriceList): OtherPrice[] {
  return [
    ...longContext.map((price) => priceOf(price, null, price.aboveInputTokens)),
    ...SERVICE_TIERS.flatMap((name) => {
      const tier = tiers[name];
      if (tier === undefined) return [];
      const long = (tier.longContext ?? []).map((price) => priceOf(price, name, price.aboveInputTokens));
      return [{ ...priceOf(tier, name, null), askedOnly: tier.askedOnly === true }, ...long];
    }),
  ];
}

const priceOf = (
  { inputPerMtok, cachedInputPerMtok, outputPerMtok }: TierPrice | LongContextPrice,
  tier: ServiceTier | null,
  above: number | null,
): OtherPrice => ({
  tier,
  above,
  askedOnly: false,
  inputNanoUsd: inputPerMtok,
  cachedInputNanoUsd: cachedInputPerMtok,
  outputNanoUsd: outputPerMtok,
});
