/** Guardrails of an organisation and of keys. */
export default {
  title: "Garde-fous",
  subtitle: {
    organisation: "Ce que les requêtes et réponses de {{name}} peuvent contenir. S’applique à toutes les clés.",
    key: "Ce que les requêtes et réponses de {{name}} peuvent contenir, en plus des garde-fous de l’organisation.",
  },
  rules: { organisation: "Garde-fous", key: "Garde-fous de cette clé", inherited: "De l’organisation" },
  empty: "Aucun garde-fou pour l’instant",
  emptyText: "Ajoutez-en un pour refuser, masquer ou signaler des mots, des motifs ou des données personnelles.",
  col: {
    name: "Nom",
    kind: "Type",
    what: "Recherche",
    on: "Vérifie",
    action: "Action",
    by: "Défini par",
    in: "Trouvé dans",
    count: "Occurrences",
  },
  by: { organisation: "Organisation", key: "Clé" },
  in: { input: "Requête", output: "Réponse" },
  kind: { words: "Mots", pattern: "Motif", personal: "Données personnelles" },
  kindHint: {
    words:
      "Mots entiers et expressions, sans tenir compte de la casse. Ajoutez * au début ou à la fin pour trouver des parties de mots.",
    pattern:
      "Une expression régulière en syntaxe RE2, sans tenir compte de la casse. Jusqu’à 160 caractères, une correspondance est toujours trouvée en entier.",
    personal: "Cochez les types ci-dessous.",
  },
  data: {
    email: "Adresses e-mail",
    phone: "Numéros de téléphone avec indicatif de pays",
    card: "Numéros de carte",
    iban: "IBAN",
  },
  on: { input: "Requêtes", output: "Réponses", both: "Requêtes et réponses" },
  action: { refuse: "Refuser", redact: "Masquer", flag: "Signaler" },
  actionHint: {
    refuse:
      "La requête ou la réponse est refusée. Une requête refusée ne coûte rien ; une réponse refusée est facturée.",
    redact: "Les correspondances sont remplacées par [redacted].",
    flag: "Rien ne change. Le journal des requêtes indique la correspondance.",
  },
  add: { title: "Ajouter un garde-fou", text: "Prend effet en moins d’une seconde.", submit: "Ajouter le garde-fou" },
  field: {
    nameHint: "Affiché à l’utilisateur de la clé lorsqu’une requête est refusée.",
    text: "Mots ou motif",
    textHint: "Jusqu’à {{words}} mots ou expressions, un par ligne, ou un motif de {{pattern}} caractères au plus.",
  },
  remove: "Supprimer",
  done: { added: "Garde-fou ajouté.", removed: "Garde-fou supprimé." },
  test: {
    title: "Essayer un texte",
    text: "Voyez ce qui correspond et ce qui se passerait. Rien n’est envoyé à un modèle ni enregistré.",
    sample: "Texte",
    side: "Vérifier comme",
    submit: "Essayer",
    refused: "Refusé par {{name}}.",
    found: "Trouvé : {{names}}. Résultat : {{text}}",
    nothing: "Aucun garde-fou ne correspond.",
  },
  problem: {
    personal: "Cochez au moins un type de données personnelles.",
    empty: "Saisissez des mots ou un motif.",
    words: "Saisissez jusqu’à {{most}} mots ou expressions, un par ligne, de {{long}} caractères au plus.",
    pattern: "Saisissez un seul motif de {{most}} caractères au plus, sur une ligne.",
  },
};
