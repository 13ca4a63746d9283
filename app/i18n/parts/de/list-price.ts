/** List prices beside own prices, for platform admins. */
export default {
  text: "Was Sie berechnen, neben dem, was der Anbieter veröffentlicht. gw hat für jeden Weg, ein Modell zu bedienen, einen Preis, und den zahlen Kunden; was ein Anbieter Ihnen nach Vertrag berechnet, weiß es nicht. Die Listenpreise sind die von genai-prices {{version}} vom {{date}}, der Verkehr der der letzten 30 Tage.",
  input: "Eingabe / 1M",
  output: "Ausgabe / 1M",
  list: "Liste",
  unlisted: "Kein Listenpreis",
  requests_one: "{{shown}} Anfrage",
  requests_other: "{{shown}} Anfragen",
  charged: "Berechnet, 30 Tage",
  atList: "Dasselbe zu Listenpreisen",
  difference: "Differenz",
  leastText: "Lange Eingaben oder Werkzeuge des Anbieters kosten laut Liste mehr.",
};
