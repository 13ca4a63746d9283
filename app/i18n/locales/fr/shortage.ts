/**
 * Texts of a rejection for lack of money: the remaining amount, the way to make the request fit, and the person who can
 * raise the limit.
 */
export default {
  left: {
    key: "Il reste {{available, usd}} du budget de cette clé API, et cette requête pourrait coûter jusqu’à {{maxCost, usd}}.",
    user: "Il reste {{available, usd}} du budget du propriétaire de cette clé, et cette requête pourrait coûter jusqu’à {{maxCost, usd}}.",
    department:
      "Il reste {{available, usd}} du budget du service, et cette requête pourrait coûter jusqu’à {{maxCost, usd}}.",
    project:
      "Il reste {{available, usd}} du budget du projet, et cette requête pourrait coûter jusqu’à {{maxCost, usd}}.",
    organisation:
      "Il reste {{available, usd}} du budget de l’organisation, et cette requête pourrait coûter jusqu’à {{maxCost, usd}}.",
    wallet:
      "Il reste {{available, usd}} dans le portefeuille qui paie, et cette requête pourrait coûter jusqu’à {{maxCost, usd}}.",
  },
  hidden: {
    key: "Le budget de cette clé API ne couvre pas cette requête, qui pourrait coûter jusqu’à {{maxCost, usd}}.",
    user: "Le budget du propriétaire de cette clé ne couvre pas cette requête, qui pourrait coûter jusqu’à {{maxCost, usd}}.",
    department: "Le budget du service ne couvre pas cette requête, qui pourrait coûter jusqu’à {{maxCost, usd}}.",
    project: "Le budget du projet ne couvre pas cette requête, qui pourrait coûter jusqu’à {{maxCost, usd}}.",
    organisation:
      "Le budget de l’organisation ne couvre pas cette requête, qui pourrait coûter jusqu’à {{maxCost, usd}}.",
    wallet:
      "{{payer}} paie pour cette clé, et son portefeuille ne couvre pas cette requête, qui pourrait coûter jusqu’à {{maxCost, usd}}.",
  },
  held: "Des requêtes en cours réservent {{held, usd}}.",
  fits: "Réglez {{field}} sur {{tokens}} ou moins.",
  inputTooLong: "L’entrée seule coûte davantage : raccourcissez-la.",
  raise: "Pour l’envoyer telle quelle, augmentez le budget.",
  askToRaise: "Pour l’envoyer telle quelle, demandez à un administrateur d’augmenter le budget.",
  fund: "Pour l’envoyer telle quelle, ajoutez des fonds : {{link}}",
  askToFund: "Pour l’envoyer telle quelle, demandez à {{payer}} d’ajouter des fonds : {{link}}",
  fundHere: "Pour l’envoyer telle quelle, ajoutez des fonds.",
  askToFundHere: "Pour l’envoyer telle quelle, demandez à {{payer}} d’ajouter des fonds.",
};
