export default {
  menu: "Menú",
  group: { work: "Trabajo", money: "Facturación", admin: "Administración", account: "Cuenta" },
  home: "Resumen",
  getStarted: "Primeros pasos",
  keys: "Claves de API",
  guide: "Guía",
  activity: "Actividad",
  settings: "Ajustes",
  users: "Personas",
  projects: "Proyectos",
  organisation: "Su organización",
  organisations: "Organizaciones",
};
