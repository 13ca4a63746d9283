export default {
  title: "Status",
  description:
    "Wie die Modelle in den letzten 90 Tagen geantwortet haben, nach Region, gemessen an den Anfragen über dieses Gateway.",
  empty:
    "Noch nicht genug Anfragen. Ein Modell erscheint hier, sobald es an einem Tag mindestens 50 Anfragen beantwortet hat.",
  how: "Verfügbarkeit ist der Anteil der Anfragen, die ein Anbieter beantwortet hat. Tage mit weniger als 50 Anfragen werden nicht gezeigt. Alle fünf Minuten aktualisiert.",
  uptime: "{{share}} verfügbar",
  firstByte: "erstes Byte {{time}}",
  latency: "insgesamt {{time}}",
  bars: "{{region}}: {{share}} Verfügbarkeit in 90 Tagen",
  daysAgo: "vor 90 Tagen",
  today: "Heute",
};
