type StartupBanner = {
  baseUrl: string;
  signUp: "open" | "invite";
  /** Whether a payment processor is configured. */
  takesPayments: boolean;
  /**
   * The providers with keys in the environment and the number of their models; `pricesDate`: date of the list prices.
   */
  providers: readonly { name: string; models: number }[];
  pricesDate: string;
  /** A chat model for the example, if any. */
  model: string | null;
  /** A warning about the embedded database, if any. */
  databaseNote: string | null;
  rootAdminKey: string | null;
  firstKey: string | null;
  setupToken: string | null;
};

/**
 * Returns the text for the terminal once the server listens. Each secret is shown when it is created, and never again.
 */
export function startupBanner(banner: StartupBanner): string {
  const { baseUrl, model, rootAdminKey, firstKey, setupToken } = banner;
  const parts = [`gw is running at ${baseUrl}`, `Sign-up: ${signUpLine(banner)}`];
  if (banner.providers.length > 0) parts.push(providersLine(banner));
  if (banner.databaseNote !== null) parts.push(banner.databaseNote);
  if (rootAdminKey !== null) {
    parts.push(`Root admin key. It is shown this one time; keep it in a safe place:\n\n  ${rootAdminKey}`);
  }
  if (setupToken !== null) {
    parts.push(`Set up your account here. The link works once, within 24 hours:\n\n  ${baseUrl}/setup/${setupToken}`);
  }
  if (model === null)
    parts.push("There is no chat model yet. docs/configuration.md says how suppliers and models are added.");
  if (firstKey !== null && model === null) parts.push(`The first key, for when there is one:\n\n  ${firstKey}`);
  if (firstKey !== null && model !== null) {
    const body = JSON.stringify({ model, messages: [{ role: "user", content: "Hello!" }] });
    const lines = [
      `curl ${baseUrl}/v1/chat/completions`,
      `-H "Authorization: Bearer ${firstKey}"`,
      `-H "Content-Type: application/json"`,
      `-d '${body.replaceAll("'", "'\\''")}'`,
    ];
    parts.push(`Your first call, with a key made for it:\n\n  ${lines.join(" \\\n    ")}`);
  }
  return `\n${parts.join("\n\n")}\n\n`;
}

function providersLine({ providers, pricesDate }: StartupBanner): string {
  const names = providers.map(({ name, models }) => `${name} (${models} ${models === 1 ? "model" : "models"})`);
  return `Suppliers, by the keys in the environment: ${names.join(", ")}\nList prices of ${pricesDate}`;
}

function signUpLine({ signUp, takesPayments }: StartupBanner): string {
  if (signUp === "invite") {
    return takesPayments
      ? "by invitation (GW_SIGNUP=open opens it)"
      : "by invitation (no payment processor is configured; GW_SIGNUP=open opens it)";
  }
  return takesPayments
    ? "open to everybody (GW_SIGNUP=invite closes it)"
    : "open to everybody; without a payment processor, new organisations can spend only what you give them";
}
