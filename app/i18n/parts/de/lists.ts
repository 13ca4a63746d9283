export default {
  details: "Details",
  openPage: "Seite öffnen",
  select: "{{name}} auswählen",
  selectAll: "Alle Zeilen dieser Seite auswählen",
  selected: "Ausgewählt",
  defaultColumns: "Zurücksetzen",
  export: "Exportieren",
  undo: "Rückgängig machen",
  undone_one: "{{count, number}} Änderung rückgängig gemacht.",
  undone_other: "{{count, number}} Änderungen rückgängig gemacht.",
  latest:
    "Sortiert sind die letzten {{count, number}} Anfragen. Um alle zu sortieren, grenzen Sie die Filter weiter ein.",
  invites: {
    revoke: "Widerrufen",
    revokeText:
      "Die Links der ausgewählten Einladungen funktionieren danach nicht mehr. Das lässt sich nicht rückgängig machen.",
    revoked_one: "{{count, number}} Einladung widerrufen.",
    revoked_other: "{{count, number}} Einladungen widerrufen.",
  },
  keys: {
    suspend: "Sperren",
    suspendText:
      "Anfragen mit den ausgewählten Schlüsseln werden abgelehnt, bis jemand sie wieder aktiviert. Laufende Anfragen werden noch beendet.",
    resume: "Aktivieren",
    resumeText: "Die ausgewählten Schlüssel funktionieren sofort wieder, mit denselben Secrets und Limits.",
    move: "In Projekt verschieben",
    moveText: "Die Nutzung der ausgewählten Schlüssel zählt ab jetzt zu diesem Projekt und seinem Budget.",
    budget: "Budget festlegen",
    budgetText:
      "Jeder ausgewählte Schlüssel bekommt dieses Budget für sich. Lassen Sie den Betrag leer, wenn es kein Limit geben soll.",
    revoke: "Widerrufen",
    revokeText: "Die ausgewählten Schlüssel funktionieren sofort nicht mehr. Das lässt sich nicht rückgängig machen.",
    done: {
      suspend_one: "{{count, number}} Schlüssel gesperrt.",
      suspend_other: "{{count, number}} Schlüssel gesperrt.",
      resume_one: "{{count, number}} Schlüssel aktiviert.",
      resume_other: "{{count, number}} Schlüssel aktiviert.",
      move_one: "{{count, number}} Schlüssel verschoben.",
      move_other: "{{count, number}} Schlüssel verschoben.",
      budget_one: "Budget für {{count, number}} Schlüssel festgelegt.",
      budget_other: "Budget für {{count, number}} Schlüssel festgelegt.",
      revoke_one: "{{count, number}} Schlüssel widerrufen.",
      revoke_other: "{{count, number}} Schlüssel widerrufen.",
    },
  },
  people: {
    suspend: "Sperren",
    suspendText:
      "Die ausgewählten Personen werden abgemeldet, und ihre Schlüssel funktionieren nicht mehr. Einladungen und Admin-Schlüssel, die sie nicht mehr erstellen dürften, werden endgültig widerrufen.",
    reinstate: "Entsperren",
    reinstateText: "Die ausgewählten Personen können sich wieder anmelden, und ihre Schlüssel funktionieren wieder.",
    move: "In Abteilung verschieben",
    moveText: "Die Schlüssel der ausgewählten Personen ziehen mit um. Ihre Nutzung zählt ab jetzt zur neuen Abteilung.",
    done: {
      suspend_one: "{{count, number}} Person gesperrt.",
      suspend_other: "{{count, number}} Personen gesperrt.",
      reinstate_one: "{{count, number}} Person entsperrt.",
      reinstate_other: "{{count, number}} Personen entsperrt.",
      move_one: "{{count, number}} Person verschoben.",
      move_other: "{{count, number}} Personen verschoben.",
    },
  },
};
