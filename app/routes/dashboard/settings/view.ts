import type { OwnAccount, SessionView } from "~/domain/identity/shared";
import type { BillingDuties } from "~/domain/organisations/index.server";
import type { Theme } from "~/ui/theme";

/** What the settings page shows. */
export type SettingsView = {
  account: OwnAccount;
  sessions: SessionView[];
  /** What the person pays for beside themselves, or is asked to. */
  duties: BillingDuties | null;
  /** What the identity providers are called here. */
  labels: Readonly<Record<string, string>>;
  language: string;
  theme: Theme;
  timeZones: string[];
};
