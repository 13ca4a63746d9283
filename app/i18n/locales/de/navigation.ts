export default {
  menu: "Menü",
  group: { work: "Arbeit", money: "Abrechnung", admin: "Verwaltung", account: "Konto" },
  home: "Übersicht",
  getStarted: "Erste Schritte",
  keys: "API-Schlüssel",
  guide: "Anleitung",
  activity: "Aktivität",
  settings: "Einstellungen",
  users: "Personen",
  projects: "Projekte",
  organisation: "Ihre Organisation",
  organisations: "Organisationen",
};
