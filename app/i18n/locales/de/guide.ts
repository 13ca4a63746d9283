export default {
  title: "Anleitung",
  subtitle:
    "Schnellstart mit Ihrem eigenen Schlüssel, Ihren Modellen und Regionen. Die vollständige Anleitung ist öffentlich.",
  full: "Vollständige Anleitung",
  reference: "API-Referenz",
  key: {
    label: "In Beispielen verwenden",
    none: "Sie haben noch keine Schlüssel. Die Beispiele zeigen, wo Ihrer eingesetzt wird.",
    create: "Schlüssel anlegen",
    secret: "gw speichert das Geheimnis nicht. Legen Sie es in der Variable GW_KEY ab, wie unten gezeigt.",
    choose: "Diesen Schlüssel verwenden",
  },
  contents: "Auf dieser Seite",
  steps: {
    prepare: {
      title: "Halten Sie Ihren Schlüssel aus dem Code heraus",
      text: "Legen Sie das Geheimnis einmal als Umgebungsvariable fest. Jedes Beispiel liest es von dort.",
    },
    chat: {
      title: "Chat",
      text: "Funktioniert mit jedem Client im Chat-Stil: Ändern Sie Basis-URL und Schlüssel. Streaming, Werkzeuge, Bilder und strukturierte Ausgaben werden durchgereicht.",
    },
    messages: {
      title: "Messages",
      text: "Verwenden Sie für Clients im Messages-Stil die Basis-URL ohne /v1. Sie senden den Schlüssel als x-api-key, was gw akzeptiert.",
    },
    native: {
      title: "Coding-Agenten",
      text: "Agenten, die das native Protokoll verwenden, haben eine eigene Basis-URL.",
    },
    others: { title: "Embeddings, Rerank, Sprache", text: "Derselbe Schlüssel, andere Modelle." },
    read: {
      title: "Antwort-Header",
      text: "Jede nicht gestreamte Antwort nennt in ihren Headern Anbieter, Region, Failover und die genauen Kosten.",
    },
    errors: {
      title: "Fehler behandeln",
      text: "Prüfen Sie error.code; die Meldung ist für Menschen. 429 und 503 enthalten immer Retry-After in Sekunden.",
      recent: "Letzte Ablehnungen Ihrer Schlüssel",
      none: "Keine abgelehnten Anfragen in den letzten 7 Tagen.",
    },
  },
  models: {
    title: "Verfügbare Modelle für diesen Schlüssel",
    none: "Dieser Schlüssel kann kein Modell des Katalogs verwenden.",
    model: "Modell",
    kind: "Typ",
    context: "Kontext",
    regions: "Regionen",
    input: "Ein / Mio.",
    output: "Aus / Mio.",
    unpriced: "kein Preis",
    capabilities: {
      chat: "Chat",
      embedding: "Embeddings",
      rerank: "Rerank",
      moderation: "Moderation",
      image: "Bilder",
      transcription: "Transkription",
      speech: "Sprachausgabe",
    },
  },
  regions: {
    title: "Regionen",
    lock: "Dieser Schlüssel ist auf {{list}} beschränkt. Anfragen verlassen diese Regionen nie, auch nicht bei einem erneuten Versuch.",
    free: "Dieser Schlüssel kann jede Region nutzen. Eine Anfrage kann sie mit dem Feld region einschränken.",
    here: "Regionen dieser Installation: {{list}}.",
  },
};
