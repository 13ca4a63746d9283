/** What requests to a supplier carry besides, for platform admins. */
export default {
  column: "Header",
  some: "Gesetzt",
  none: "Keine",
  title: "Header und Parameter von {{name}}",
  text: "Jede Anfrage an diesen Anbieter trägt sie, was immer der Client sendet. Werte werden verschlüsselt gespeichert und nie wieder angezeigt; um einen zu ersetzen, setzen Sie ihn erneut.",
  ofFile: "Was jede Anfrage an diesen Anbieter trägt, steht in der Katalogdatei und wird dort geändert.",
  lost: "GW_SECRET entschlüsselt sie nicht mehr, deshalb wird der Anbieter nicht aufgerufen. Setzen Sie sie erneut.",
  place: "Gesendet als",
  value: "Wert",
  hidden: "Verschlüsselt gespeichert",
  theKey: "Der API-Schlüssel",
  nothing: "Es wird nichts zusätzlich gesendet",
  nothingText:
    "Manche Anbieter verlangen außer dem Schlüssel einen Header oder Query-Parameter, etwa ein Team oder eine API-Version.",
  add: "Header oder Parameter setzen",
  nameHint: "Zum Beispiel x-team. Host, Content-Type und andere Header, die gw setzt, sind nicht möglich.",
  valueHint: "Für den Header des API-Schlüssels nicht nötig.",
  remove: "Entfernen",
  saved: "Gespeichert. Anfragen tragen es ab jetzt.",
  removed: "Entfernt",
  in: { header: "Header", query: "Query-Parameter", key_header: "Header des API-Schlüssels" },
};
