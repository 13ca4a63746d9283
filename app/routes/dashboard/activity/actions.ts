import english from "~/i18n/locales/en/activity";

/** What the trail can be filtered by: every act that has a name, such as "user.role". */
export const ACTIONS: readonly string[] = Object.entries(english.acts).flatMap(([kind, acts]) =>
  Object.keys(acts).map((act) => `${kind}.${act}`),
);

export const TARGET_KINDS = ["user", "key", "organisation", "department", "project", "invite"] as const;
