/** Credit of organisations and people. */
export default {
  title: "Crédit",
  given: "{{given}} accordés sur {{ceiling}}",
  text: "Le plafond est le crédit total que les admins de cette organisation peuvent accorder aux personnes et aux projets. Le crédit de l’organisation elle-même compte aussi.",
  own: "Le crédit permet de dépenser ce qui n’est pas encore payé. Le plafond est fixé par ceux qui gèrent cette installation.",
  over: "Le crédit accordé dépasse le plafond. Rien n’est retiré, mais aucune limite ne peut être relevée.",
  ceiling: "Plafond de crédit",
  ceilingHint: "Dollars US. 0 : ses admins ne peuvent pas accorder de crédit.",
  limit: "Crédit autorisé de l’organisation",
  limitHint: "Jusqu’où le portefeuille de l’organisation peut descendre sous zéro, en dollars US.",
  button: "Enregistrer le crédit",
  most: "Jusqu’à {{amount}} du crédit de votre organisation.",
  none: "Votre organisation n’a plus de crédit à accorder. Vous ne pouvez que baisser cette limite.",
  ownMost: "Son portefeuille : jusqu’à {{amount}} du crédit de votre organisation.",
  ownNone: "Son portefeuille : votre organisation n’a plus de crédit à accorder.",
};
