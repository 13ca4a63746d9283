import type { OwnAccount, SessionView } from "~/domain/identity/shared";
import type { Theme } from "~/ui/theme";

/** What the settings page shows. */
export type SettingsView = {
  account: OwnAccount;
  sessions: SessionView[];
  /** What the identity providers are called here. */
  labels: Readonly<Record<string, string>>;
  language: string;
  theme: Theme;
  timeZones: string[];
};
