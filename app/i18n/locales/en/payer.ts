/** Who pays, and why. */
export default {
  reason: {
    project: "The project has its own wallet, which pays for its keys.",
    exempt: "Exempt from billing: usage is counted, and nobody is charged.",
    own: "Set to pay from their own wallet.",
    billingUser: "The organisation’s billing user pays for all members.",
    organisation: "The organisation has no billing user, so its own wallet pays.",
  },
};
