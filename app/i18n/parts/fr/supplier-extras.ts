/** What requests to a supplier carry besides, for platform admins. */
export default {
  column: "En-têtes",
  some: "Définis",
  none: "Aucun",
  title: "En-têtes et paramètres de {{name}}",
  text: "Chaque requête vers ce fournisseur les porte, quoi qu’envoie le client. Les valeurs sont chiffrées et ne s’affichent plus jamais ; pour en remplacer une, définissez-la de nouveau.",
  ofFile: "Le fichier de catalogue définit ce que porte chaque requête vers ce fournisseur. Modifiez-le là-bas.",
  lost: "GW_SECRET ne les déchiffre plus : le fournisseur n’est donc pas appelé. Définissez-les de nouveau.",
  place: "Envoyé comme",
  value: "Valeur",
  hidden: "Chiffrée",
  theKey: "La clé API",
  nothing: "Rien d’autre n’est envoyé",
  nothingText:
    "Certains fournisseurs demandent un en-tête ou un paramètre en plus de la clé, par exemple une équipe ou une version d’API.",
  add: "Définir un en-tête ou un paramètre",
  nameHint: "Par exemple x-team. Host, Content-Type et les autres en-têtes que gw définit sont exclus.",
  valueHint: "Inutile pour l’en-tête de la clé API.",
  remove: "Retirer",
  saved: "Enregistré. Les requêtes le portent désormais.",
  removed: "Retiré",
  in: { header: "En-tête", query: "Paramètre d’URL", key_header: "En-tête de la clé API" },
};
