/** Credit of organisations and people. */
export default {
  title: "Kredit",
  given: "{{given}} von {{ceiling}} vergeben",
  text: "Die Obergrenze ist der höchste Kredit, den die Admins dieser Organisation insgesamt an Personen und Projekte vergeben können. Der Kredit der Organisation selbst zählt mit.",
  own: "Mit Kredit können Personen ausgeben, was noch nicht bezahlt ist. Die Obergrenze legt fest, wer diese Installation betreibt.",
  over: "Es ist mehr vergeben, als die Obergrenze erlaubt. Nichts wird weggenommen, aber kein Rahmen kann erhöht werden.",
  ceiling: "Kreditobergrenze",
  ceilingHint: "US-Dollar. 0: Die Admins können keinen Kredit vergeben.",
  limit: "Kreditrahmen der Organisation",
  limitHint: "Wie weit das Guthaben der Organisation unter null gehen darf, in US-Dollar.",
  button: "Kredit speichern",
  most: "Bis zu {{amount}} aus dem Kredit Ihrer Organisation.",
  none: "Ihre Organisation hat keinen Kredit mehr zu vergeben. Sie können diesen Rahmen nur senken.",
  ownMost: "Eigenes Guthaben: bis zu {{amount}} aus dem Kredit Ihrer Organisation.",
  ownNone: "Eigenes Guthaben: Ihre Organisation hat keinen Kredit mehr zu vergeben.",
};
