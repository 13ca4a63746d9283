/** Guardrails of an organisation and of keys. */
export default {
  title: "Leitplanken",
  subtitle: {
    organisation: "Was Anfragen und Antworten von {{name}} enthalten dürfen. Gilt für jeden Schlüssel.",
    key: "Was Anfragen und Antworten von {{name}} enthalten dürfen, zusätzlich zu den Leitplanken der Organisation.",
  },
  rules: { organisation: "Leitplanken", key: "Leitplanken dieses Schlüssels", inherited: "Von der Organisation" },
  empty: "Noch keine Leitplanken",
  emptyText:
    "Fügen Sie eine hinzu, um Wörter, Muster oder personenbezogene Daten abzulehnen, zu schwärzen oder zu markieren.",
  col: {
    name: "Name",
    kind: "Art",
    what: "Findet",
    on: "Prüft",
    action: "Aktion",
    by: "Festgelegt von",
    in: "Gefunden in",
    count: "Treffer",
  },
  by: { organisation: "Organisation", key: "Schlüssel" },
  in: { input: "Anfrage", output: "Antwort" },
  kind: { words: "Wörter", pattern: "Muster", personal: "Personenbezogene Daten" },
  kindHint: {
    words:
      "Ganze Wörter und Wendungen, Groß- und Kleinschreibung egal. Mit * am Anfang oder Ende auch als Teil längerer Wörter.",
    pattern:
      "Ein regulärer Ausdruck in RE2-Syntax, Groß- und Kleinschreibung egal. Treffer bis 160 Zeichen werden immer ganz gefunden.",
    personal: "Wählen Sie unten die Arten aus.",
  },
  data: { email: "E-Mail-Adressen", phone: "Telefonnummern mit Landesvorwahl", card: "Kartennummern", iban: "IBANs" },
  on: { input: "Anfragen", output: "Antworten", both: "Anfragen und Antworten" },
  action: { refuse: "Ablehnen", redact: "Schwärzen", flag: "Markieren" },
  actionHint: {
    refuse:
      "Die Anfrage oder Antwort wird abgelehnt. Eine abgelehnte Anfrage kostet nichts, eine abgelehnte Antwort wird berechnet.",
    redact: "Treffer werden durch [redacted] ersetzt.",
    flag: "Nichts ändert sich. Das Anfrageprotokoll zeigt den Treffer.",
  },
  add: { title: "Leitplanke hinzufügen", text: "Gilt innerhalb einer Sekunde.", submit: "Leitplanke hinzufügen" },
  field: {
    nameHint: "Wird allen angezeigt, deren Anfrage mit dem Schlüssel abgelehnt wird.",
    text: "Wörter oder Muster",
    textHint: "Bis zu {{words}} Wörter oder Wendungen, eine pro Zeile, oder ein Muster mit bis zu {{pattern}} Zeichen.",
  },
  remove: "Entfernen",
  done: { added: "Leitplanke hinzugefügt.", removed: "Leitplanke entfernt." },
  test: {
    title: "Text ausprobieren",
    text: "Sehen Sie, was gefunden wird und was dann geschieht. Nichts wird an ein Modell gesendet oder gespeichert.",
    sample: "Text",
    side: "Prüfen als",
    submit: "Ausprobieren",
    refused: "Abgelehnt durch {{name}}.",
    found: "Gefunden: {{names}}. Ergebnis: {{text}}",
    nothing: "Keine Leitplanke trifft zu.",
  },
  problem: {
    personal: "Wählen Sie mindestens eine Art personenbezogener Daten aus.",
    empty: "Geben Sie Wörter oder ein Muster ein.",
    words: "Geben Sie bis zu {{most}} Wörter oder Wendungen ein, eine pro Zeile, mit je höchstens {{long}} Zeichen.",
    pattern: "Geben Sie ein Muster mit höchstens {{most}} Zeichen in einer Zeile ein.",
  },
};
