import english from "~/i18n/locales/en/activity";

/** What the audit log can be filtered by: every act that has a name, such as "user.role". */
export const ACTIONS: readonly string[] = Object.entries(english.acts).flatMap(([kind, events]) =>
  Object.keys(events).map((event) => `${kind}.${event}`),
);

export const TARGET_KINDS = ["user", "key", "organisation", "department", "project", "invite"] as const;
