export default {
  menu: "Menu",
  group: { work: "Work", money: "Billing", admin: "Administration", account: "Account" },
  home: "Overview",
  getStarted: "Get started",
  keys: "API keys",
  guide: "Guide",
  activity: "Activity",
  settings: "Settings",
  users: "People",
  projects: "Projects",
  organisation: "Your organisation",
  organisations: "Organisations",
};
