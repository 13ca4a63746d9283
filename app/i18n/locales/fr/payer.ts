/** The payer, and the reason. */
export default {
  reason: {
    project: "Le projet a son propre portefeuille, qui paie pour ses clés.",
    exempt: "Exempté de facturation : l’utilisation est comptée et personne n’est débité.",
    sandbox: "Non facturé : le bac à sable est gratuit.",
    own: "Réglé pour payer avec son propre portefeuille.",
    delegated: "Une autre personne a accepté de payer.",
    billingUser: "Le payeur de l’organisation paie pour tous les membres.",
    organisation: "L’organisation n’a pas de payeur : son propre portefeuille paie.",
  },
  delegated: {
    title: "Payer pour une autre personne",
    about:
      "Une autre personne peut payer votre utilisation, ou vous la sienne, dès que vous êtes tous deux d’accord. Chacun peut y mettre fin à tout moment ; les requêtes déjà en cours restent à la charge du portefeuille avec lequel elles ont commencé.",
    email: "Adresse e-mail de l’autre personne",
    hint: "Pour payer pour d’autres, il vous faut votre propre portefeuille.",
    request: "Lui demander de payer pour moi",
    offer: "Proposer de payer pour elle",
    accept: "Accepter",
    acceptAndPay: "Accepter et payer",
    decline: "Refuser",
    stop: "Arrêter",
    cancel: "Annuler la demande",
    pays: {
      inForce: "Vous payez pour {{name}} : son utilisation est débitée de votre portefeuille, crédit compris.",
      asked: "Vous avez proposé à {{name}} de payer. Pas encore de réponse.",
      question:
        "{{name}} vous demande de payer son utilisation. Si vous acceptez, elle est débitée de votre portefeuille, crédit compris, et vous voyez le coût de ses requêtes.",
    },
    paid: {
      inForce: "{{name}} paie votre utilisation et voit le coût de vos requêtes.",
      asked: "Vous avez demandé à {{name}} de payer pour vous. Pas encore de réponse.",
      question:
        "{{name}} propose de payer votre utilisation. Si vous acceptez, {{name}} verra le coût de vos requêtes.",
    },
    done: {
      asked: "Envoyé. Rien ne change tant que l’autre personne n’a pas accepté.",
      accepted: "Accepté. Cela vaut dès la prochaine requête.",
      ended: "Terminé.",
    },
  },
};
