/**
 * Texts of a rejection for lack of money: the remaining amount, the way to make the request fit, and the person who can
 * raise the limit.
 */
export default {
  left: {
    key: "{{available, usd}} of this API key’s budget is left, and this request could cost up to {{maxCost, usd}}.",
    user: "{{available, usd}} of the budget of this key’s owner is left, and this request could cost up to {{maxCost, usd}}.",
    department:
      "{{available, usd}} of the department’s budget is left, and this request could cost up to {{maxCost, usd}}.",
    project: "{{available, usd}} of the project’s budget is left, and this request could cost up to {{maxCost, usd}}.",
    organisation:
      "{{available, usd}} of the organisation’s budget is left, and this request could cost up to {{maxCost, usd}}.",
    wallet: "{{available, usd}} is left in the wallet that pays, and this request could cost up to {{maxCost, usd}}.",
  },
  hidden: {
    key: "This API key’s budget doesn’t cover this request, which could cost up to {{maxCost, usd}}.",
    user: "The budget of this key’s owner doesn’t cover this request, which could cost up to {{maxCost, usd}}.",
    department: "The department’s budget doesn’t cover this request, which could cost up to {{maxCost, usd}}.",
    project: "The project’s budget doesn’t cover this request, which could cost up to {{maxCost, usd}}.",
    organisation: "The organisation’s budget doesn’t cover this request, which could cost up to {{maxCost, usd}}.",
    wallet:
      "{{payer}} pays for this key, and their wallet doesn’t cover this request, which could cost up to {{maxCost, usd}}.",
  },
  held: "Requests in flight hold {{held, usd}}.",
  fits: "Set {{field}} to {{tokens}} or less.",
  inputTooLong: "The input alone costs more than that: shorten it.",
  raise: "To send it as it is, raise the budget.",
  askToRaise: "To send it as it is, ask an admin to raise the budget.",
  fund: "To send it as it is, add funds: {{link}}",
  askToFund: "To send it as it is, ask {{payer}} to add funds: {{link}}",
  fundHere: "To send it as it is, add funds.",
  askToFundHere: "To send it as it is, ask {{payer}} to add funds.",
};
