/** List prices beside own prices, for platform admins. */
export default {
  text: "What you charge beside what the provider publishes. gw has one price for each way to serve a model, which is what customers are charged; what a supplier bills you by contract it doesn’t know. List prices are those of genai-prices {{version}} of {{date}}, traffic is that of the last 30 days.",
  input: "Input / 1M",
  output: "Output / 1M",
  list: "List",
  unlisted: "No list price",
  requests_one: "{{shown}} request",
  requests_other: "{{shown}} requests",
  charged: "Charged, 30 days",
  atList: "The same at list prices",
  difference: "Difference",
  leastText: "Long inputs or tools of the supplier cost more on the list.",
};
