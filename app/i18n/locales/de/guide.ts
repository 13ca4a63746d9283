export default {
  title: "Anleitung",
  subtitle:
    "Der kurze Weg, mit Ihrem eigenen Schlüssel, Ihren Modellen und Regionen. Die ganze Anleitung ist öffentlich.",
  full: "Die ganze Anleitung",
  reference: "API-Referenz",
  key: {
    label: "Beispiele verwenden",
    none: "Sie haben noch keinen Schlüssel. Die Beispiele zeigen, wohin er gehört.",
    create: "Schlüssel anlegen",
    secret: "Das Geheimnis selbst wird nicht aufbewahrt. Legen Sie es wie unten in die Variable GW_KEY.",
    choose: "Diesen Schlüssel verwenden",
  },
  contents: "Auf dieser Seite",
  steps: {
    prepare: {
      title: "Den Schlüssel aus dem Code heraushalten",
      text: "Legen Sie das Geheimnis einmal in die Umgebung. Jedes Beispiel liest es von dort.",
    },
    chat: {
      title: "Chat",
      text: "Jeder Client im Chat-Stil: Basis-URL und Schlüssel ändern. Streams, Werkzeuge, Bilder und strukturierte Antworten gehen hindurch.",
    },
    messages: {
      title: "Messages",
      text: "Clients im Messages-Stil bekommen die Basis-URL ohne /v1. Sie senden den Schlüssel als x-api-key, auch das wird angenommen.",
    },
    native: { title: "Coding-Agenten", text: "Agenten mit dem nativen Protokoll haben eine eigene Basis-URL." },
    others: { title: "Embeddings, Rerank, Sprache", text: "Derselbe Schlüssel, andere Modelle." },
    read: {
      title: "Was eine Antwort verrät",
      text: "Anbieter, Region, Ausweichen und die genauen Kosten stehen in den Kopfzeilen jeder ganzen Antwort.",
    },
    errors: {
      title: "Wenn etwas abgelehnt wird",
      text: "Lesen Sie error.code; der Satz ist für Menschen. 429 und 503 sagen in Retry-After immer, wie viele Sekunden zu warten ist.",
      recent: "Was Ihren Schlüsseln zuletzt abgelehnt wurde",
      none: "In den letzten sieben Tagen wurde Ihren Schlüsseln nichts abgelehnt.",
    },
  },
  models: {
    title: "Modelle, die dieser Schlüssel aufrufen darf",
    none: "Dieser Schlüssel darf kein Modell des Katalogs aufrufen.",
    model: "Modell",
    kind: "Für",
    context: "Kontext",
    regions: "Regionen",
    input: "Ein / Mio.",
    output: "Aus / Mio.",
    unpriced: "kein Preis",
    capabilities: {
      chat: "Chat",
      embedding: "Embeddings",
      rerank: "Rerank",
      transcription: "Transkription",
      speech: "Sprachausgabe",
    },
  },
  regions: {
    title: "Regionen",
    lock: "Dieser Schlüssel ist auf {{list}} beschränkt. Nichts verlässt sie, auch kein zweiter Versuch.",
    free: "Dieser Schlüssel darf jede Region nutzen. Eine Anfrage kann sie mit dem Feld region einschränken.",
    here: "Regionen dieser Installation: {{list}}.",
  },
};
