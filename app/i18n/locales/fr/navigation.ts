export default {
  menu: "Menu",
  group: { work: "Travail", money: "Facturation", admin: "Administration", account: "Compte" },
  home: "Vue d’ensemble",
  getStarted: "Premiers pas",
  keys: "Clés d’API",
  guide: "Guide",
  activity: "Activité",
  settings: "Réglages",
  users: "Personnes",
  projects: "Projets",
  organisation: "Votre organisation",
  organisations: "Organisations",
};
