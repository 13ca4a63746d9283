import type { OwnAccount, SessionView } from "~/domain/accounts/shared";
import type { BillingDuties } from "~/domain/organisations/index.server";
import type { Theme } from "~/ui/theme/theme";

/** Data of the settings page. */
export type SettingsView = {
  account: OwnAccount;
  sessions: SessionView[];
  /** Payments for others by the person, and open requests for them. */
  duties: BillingDuties | null;
  /** Display names of the identity providers. */
  labels: Readonly<Record<string, string>>;
  language: string;
  theme: Theme;
  timeZones: string[];
};
