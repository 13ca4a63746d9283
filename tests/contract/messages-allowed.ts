/** Texts of the language files that nothing names: those of sentences that are still looked up. The list can only become shorter. */
export const KEYS_WITHOUT_USE: readonly string[] = [
  "dashboard:alerts.lanes",
  "dashboard:cards.before",
  "dashboard:cards.none",
  "dashboard:cards.same",
  "getStarted:hiddenNow",
  "getStarted:landed",
  "invite:and",
  "invite:privacyLink",
  "invite:termsLink",
  "problems:acceptFirst",
  "problems:takenProveFirst",
];
