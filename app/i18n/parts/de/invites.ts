export default {
  title: "Personen einladen",
  subtitle: "Jede Person erhält einen Link, der einmal funktioniert, 7 Tage lang.",
  form: "Neue Einladung",
  email: "E-Mail-Adresse",
  role: "Rolle",
  roleHint: "Höchstens Ihre eigene Rolle.",
  department: "Abteilung",
  organisation: "Organisation",
  send: "Einladung senden",
  table: "Einladungen",
  pending: "Ausstehend",
  everything: "Alle",
  empty: "Keine ausstehenden Einladungen",
  emptyText: "Laden Sie oben jemanden ein. Laden Sie dieselbe Adresse erneut ein, wird ihr Link ersetzt.",
  col: {
    email: "E-Mail",
    role: "Rolle",
    place: "Beitritt zu",
    by: "Eingeladen von",
    status: "Status",
    created: "Gesendet",
    expires: "Läuft ab",
  },
  status: { pending: "Ausstehend", accepted: "Angenommen", revoked: "Zurückgezogen", expired: "Abgelaufen" },
  revoke: "Zurückziehen",
  linkTitle: "Kopieren Sie diesen Link jetzt",
  linkText:
    "Geben Sie ihn an {{email}} weiter. Er funktioniert einmal, 7 Tage lang, und wird nicht noch einmal angezeigt.",
  linkUnproven:
    "Ein von Hand weitergegebener Link bestätigt die Adresse nicht. Das Konto wird als nicht bestätigt gekennzeichnet.",
  newLink: "Neuer Link",
  notMailed: "Nicht per E-Mail gesendet",
  noMail:
    "E-Mail ist nicht eingerichtet. Ein Plattform-Admin muss Ihre Einladungslinks weitergeben. Sobald E-Mail eingerichtet ist, senden Sie sie erneut.",
  noMailRuns:
    "E-Mail ist nicht eingerichtet (SMTP_URL). Sie geben jeden Link selbst weiter. Für die Einladung eines anderen Admins erstellen Sie hier einen neuen Link und geben ihn weiter.",
};
