/** Credit of organisations and people. */
export default {
  title: "Crédit",
  given: "{{given}} accordés sur {{ceiling}}",
  text: "Le crédit total que les admins de l’organisation peuvent accorder aux personnes et aux projets. Le crédit de l’organisation elle-même compte aussi.",
  own: "Le crédit permet de dépenser avant de payer. L’exploitant de la plateforme fixe le plafond.",
  over: "Le crédit accordé dépasse le plafond. Les limites existantes restent, mais aucune ne peut être relevée.",
  ceiling: "Plafond de crédit",
  ceilingHint: "En dollars US. Avec 0, ses admins ne peuvent pas accorder de crédit.",
  limit: "Crédit autorisé de l’organisation",
  limitHint: "Jusqu’où le portefeuille de l’organisation peut descendre sous zéro, en dollars US.",
  button: "Enregistrer le crédit",
  most: "Jusqu’à {{amount}} du crédit de votre organisation.",
  none: "Votre organisation n’a plus de crédit à accorder. Vous ne pouvez que baisser cette limite.",
};
