/** Credit of organisations and people. */
export default {
  title: "Kredit",
  given: "{{given}} von {{ceiling}} vergeben",
  text: "So viel Kredit können die Admins der Organisation insgesamt an Personen und Projekte vergeben. Der Kredit der Organisation selbst zählt mit.",
  own: "Mit Kredit können Personen ausgeben, bevor sie bezahlen. Der Plattformbetreiber legt die Obergrenze fest.",
  over: "Es ist mehr Kredit vergeben, als die Obergrenze erlaubt. Bestehende Rahmen bleiben, aber keiner kann erhöht werden.",
  ceiling: "Kreditobergrenze",
  ceilingHint: "In US-Dollar. Bei 0 können die Admins keinen Kredit vergeben.",
  limit: "Kreditrahmen der Organisation",
  limitHint: "Wie weit das Guthaben der Organisation unter null gehen darf, in US-Dollar.",
  button: "Kredit speichern",
  most: "Bis zu {{amount}} aus dem Kredit Ihrer Organisation.",
  none: "Ihre Organisation hat keinen Kredit mehr zu vergeben. Sie können diesen Rahmen nur senken.",
};
