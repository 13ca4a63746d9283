import "i18next";

/** Type of the keys of `t`: one line for each namespace, from its English texts. */
export type Resources = {
  autorouter: typeof import("./locales/en/autorouter").default;
  quality: typeof import("./locales/en/quality").default;
  guardrails: typeof import("./locales/en/guardrails").default;
  conversations: typeof import("./locales/en/conversations").default;
  activity: typeof import("./locales/en/activity").default;
  admin: typeof import("./locales/en/admin").default;
  autoTopup: typeof import("./locales/en/autoTopup").default;
  budgets: typeof import("./locales/en/budgets").default;
  budgetTree: typeof import("./locales/en/budgetTree").default;
  batches: typeof import("./locales/en/batches").default;
  billing: typeof import("./locales/en/billing").default;
  credit: typeof import("./locales/en/credit").default;
  dashboard: typeof import("./locales/en/dashboard").default;
  dryRun: typeof import("./locales/en/dryRun").default;
  getStarted: typeof import("./locales/en/getStarted").default;
  guide: typeof import("./locales/en/guide").default;
  invite: typeof import("./locales/en/invite").default;
  jobs: typeof import("./locales/en/jobs").default;
  keys: typeof import("./locales/en/keys").default;
  mail: typeof import("./locales/en/mail").default;
  adminModels: typeof import("./locales/en/adminModels").default;
  modelPages: typeof import("./locales/en/modelPages").default;
  navigation: typeof import("./locales/en/navigation").default;
  payer: typeof import("./locales/en/payer").default;
  playground: typeof import("./locales/en/playground").default;
  prices: typeof import("./locales/en/prices").default;
  problems: typeof import("./locales/en/problems").default;
  promotions: typeof import("./locales/en/promotions").default;
  public: typeof import("./locales/en/public").default;
  reconcile: typeof import("./locales/en/reconcile").default;
  reasons: typeof import("./locales/en/reasons").default;
  rejections: typeof import("./locales/en/rejections").default;
  requestLog: typeof import("./locales/en/requestLog").default;
  settings: typeof import("./locales/en/settings").default;
  shortage: typeof import("./locales/en/shortage").default;
  signIn: typeof import("./locales/en/signIn").default;
  statements: typeof import("./locales/en/statements").default;
  ui: typeof import("./locales/en/ui").default;
  status: typeof import("./locales/en/status").default;
  reports: typeof import("./locales/en/reports").default;
  usage: typeof import("./locales/en/usage").default;
};

declare module "i18next" {
  interface CustomTypeOptions {
    resources: Resources;
    defaultNS: "problems";
  }
}
