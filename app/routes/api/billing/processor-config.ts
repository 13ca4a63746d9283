import { portalEndpoint } from "~/access/portal/endpoint.server";
import { readProcessorConfig } from "~/domain/billing/index.server";

/** Public settings of the payment processor, for pages in the browser. */
const processorConfig = portalEndpoint({
  allow: "viewer",
  GET: () => {
    const config = readProcessorConfig();
    return {
      configured: config.configured,
      publishable_key: config.publishableKey,
      live_mode: config.livemode,
      currency: "usd",
      tax: config.tax,
      fee_percent: Number(config.feeMillionths) / 10_000,
      fee_fixed: config.feeFixedNanoUsd,
      minimum_amount: config.minNanoUsd,
      maximum_amount: config.maxNanoUsd,
    };
  },
});

export const loader = processorConfig;
export const action = processorConfig;
