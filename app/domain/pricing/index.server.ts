export { atBatchPrice } from "./batch-price";
export { explainPrice, sumOfLines } from "./explain-price";
export { maxOutputTokensFor, priceMaximum, priceUsage } from "./price-usage";
