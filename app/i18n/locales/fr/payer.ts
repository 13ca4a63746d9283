/** Qui paie, et pourquoi. */
export default {
  reason: {
    project: "Le projet a son propre portefeuille, qui paie pour ses clés.",
    exempt: "Exempté de facturation : l’utilisation est comptée et personne n’est débité.",
    own: "Réglé pour payer avec son propre portefeuille.",
    billingUser: "Le payeur de l’organisation paie pour tous les membres.",
    organisation: "L’organisation n’a pas de payeur : son propre portefeuille paie.",
  },
};
