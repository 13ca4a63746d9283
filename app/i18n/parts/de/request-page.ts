/** Texts of the page of one request: the sentence on top, and the page of a rejected request. */
export default {
  copyLink: "Link kopieren",
  copyId: "ID kopieren",
  tryAgain: "Im Playground öffnen",
  otherSupplier: "Ein anderer Anbieter",
  explain: {
    notSent: "Nach {{total}} fehlgeschlagen, bevor sie an einen Anbieter ging.",
    failed: "Nach {{total}} fehlgeschlagen: {{supplier}} hat mit {{status}} geantwortet.",
    unanswered: "Nach {{total}} fehlgeschlagen: {{supplier}} hat nicht geantwortet.",
    allFailed_one:
      "Nach {{total}} fehlgeschlagen: {{count, number}} Anbieter wurde versucht und hat nicht geantwortet.",
    allFailed_other:
      "Nach {{total}} fehlgeschlagen: {{count, number}} Anbieter wurden versucht, keiner hat geantwortet.",
    clientLeft: "Nach {{total}} beendet: Der Client hat die Verbindung getrennt.",
    cutOff: "Nach {{total}} unterbrochen: Die Antwort von {{supplier}} ist abgebrochen.",
    recovered: "Der Prozess, der diese Anfrage bearbeitet hat, wurde beendet; die Kosten wurden danach abgerechnet.",
    failover_one:
      "{{waited}} auf {{failed}} gewartet, der Anbieter ist ausgefallen; danach hat {{supplier}} in {{rest}} geantwortet.",
    failover_other:
      "{{waited}} auf {{count, number}} Anbieter gewartet, die ausgefallen sind; danach hat {{supplier}} in {{rest}} geantwortet.",
    before:
      "Langsam, weil Prüfungen, Guardrails und Reservierung {{before}} gedauert haben, bevor die Anfrage an den ersten Anbieter ging.",
    longAnswer:
      "Hat {{total}} gedauert, weil die Antwort lang ist: {{tokens, number}} Tokens mit {{rate, number}} pro Sekunde.",
    stream: "Langsam, weil {{supplier}} {{stream}} gebraucht hat, um {{tokens, number}} Tokens zu streamen.",
    firstByte: "Langsam, weil {{supplier}} {{first}} bis zum ersten Byte gebraucht hat.",
    whole: "Langsam, weil {{supplier}} {{answer}} für eine Antwort mit {{tokens, number}} Tokens gebraucht hat.",
    fast: "Schnell: in {{total}} beantwortet.",
    usual: "In {{total}} beantwortet.",
  },
  rejection: {
    title: "Abgelehnte Anfrage",
    tag: "Abgelehnt · {{status}}",
    notSent: "Es wurde nichts an einen Anbieter gesendet und nichts berechnet.",
    burst:
      "Eine von {{times, number}} Anfragen dieses Schlüssels, die aus diesem Grund zwischen {{from}} und {{to}} abgelehnt wurden.",
    first: "gw speichert von einer Folge die Einzelheiten der ersten Anfrage:",
    firstHere: "Dies ist die erste. gw speichert von einer Folge die Einzelheiten der ersten Anfrage.",
    arithmetic: "Die Rechnung",
    at: "Zum Zeitpunkt der Ablehnung",
    limit: {
      key: "Budget des API-Schlüssels",
      user: "Budget des Schlüsselinhabers",
      department: "Budget der Abteilung",
      project: "Budget des Projekts",
      organisation: "Budget der Organisation",
      wallet: "Guthaben mit Kredit",
    },
    spent: "Ausgegeben",
    held: "Für laufende Anfragen reserviert",
    left: "Übrig",
    maxCost: "Höchstkosten dieser Anfrage",
    maxTokens: "{{input, number}} Tokens ein, {{output, number}} aus",
    missing: "Fehlbetrag",
    fits: "Was hineinpasst",
    fitsTokens: "{{field}}: {{tokens, number}}",
    fitsNothing: "Keine Antwort passt: Schon die Eingabe kostet mehr",
    facts: "Die Anfrage",
    code: "Fehlercode",
    field: "Feld",
    retry: "Erneut versuchen nach",
    seconds: "{{count, number}} s",
    others: "Weitere Ablehnungen dieses Schlüssels",
    around: "Diese Anfrage kam während dieser Ablehnungen",
    aroundText:
      "gw speichert von einer Folge von Ablehnungen die erste Anfrage und die IDs der letzten. Diese ID ist nicht darunter, gehört also zu einer der folgenden. Ihre eigenen Schlüssel stehen zuerst.",
  },
};
