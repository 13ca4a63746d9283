/** List prices beside own prices, for platform admins. */
export default {
  text: "Ce que vous facturez, à côté de ce que publie le fournisseur. gw a un prix par façon de servir un modèle, et c’est celui que paient les clients ; il ignore ce qu’un fournisseur vous facture par contrat. Les prix de liste sont ceux de genai-prices {{version}} du {{date}}, le trafic celui des 30 derniers jours.",
  input: "Entrée / 1M",
  output: "Sortie / 1M",
  list: "Liste",
  unlisted: "Aucun prix de liste",
  requests_one: "{{shown}} requête",
  requests_many: "{{shown}} requêtes",
  requests_other: "{{shown}} requêtes",
  charged: "Facturé, 30 jours",
  atList: "La même chose aux prix de liste",
  difference: "Différence",
  leastText: "Les entrées longues ou les outils du fournisseur coûtent plus cher sur la liste.",
};
