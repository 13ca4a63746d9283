export default {
  title: "Guide",
  subtitle: "Le chemin court, avec votre clé, vos modèles et vos régions. Le guide complet est public.",
  full: "Le guide complet",
  reference: "Référence de l’API",
  key: {
    label: "Les exemples utilisent",
    none: "Vous n’avez pas encore de clé. Les exemples montrent où elle va.",
    create: "Créer une clé",
    secret: "Le secret lui-même n’est pas conservé. Mettez-le dans la variable GW_KEY, comme ci-dessous.",
    choose: "Utiliser cette clé",
  },
  contents: "Sur cette page",
  steps: {
    prepare: {
      title: "Garder la clé hors du code",
      text: "Mettez le secret une fois dans l’environnement. Chaque exemple le lit de là.",
    },
    chat: {
      title: "Chat",
      text: "Tout client de style chat : changez l’URL de base et la clé. Flux, outils, images et réponses structurées passent tels quels.",
    },
    messages: {
      title: "Messages",
      text: "Les clients de style messages reçoivent l’URL de base sans /v1. Ils envoient la clé comme x-api-key, ce qui est accepté.",
    },
    native: { title: "Agents de code", text: "Les agents qui parlent le protocole natif ont leur propre URL de base." },
    others: { title: "Embeddings, rerank, parole", text: "La même clé, d’autres modèles." },
    read: {
      title: "Ce que dit une réponse",
      text: "Fournisseur, région, bascule et coût exact figurent dans les en-têtes de chaque réponse entière.",
    },
    errors: {
      title: "Quand quelque chose est refusé",
      text: "Lisez error.code ; la phrase est pour les humains. 429 et 503 disent toujours dans Retry-After combien de secondes attendre.",
      recent: "Ce qui a été refusé à vos clés récemment",
      none: "Rien n’a été refusé à vos clés ces sept derniers jours.",
    },
  },
  models: {
    title: "Modèles que cette clé peut appeler",
    none: "Cette clé ne peut appeler aucun modèle du catalogue.",
    model: "Modèle",
    kind: "Pour",
    context: "Contexte",
    regions: "Régions",
    input: "Entrée / M",
    output: "Sortie / M",
    unpriced: "sans prix",
    capabilities: {
      chat: "Chat",
      embedding: "Embeddings",
      rerank: "Rerank",
      transcription: "Transcription",
      speech: "Parole",
    },
  },
  regions: {
    title: "Régions",
    lock: "Cette clé est verrouillée sur {{list}}. Rien n’en sort, pas même une nouvelle tentative.",
    free: "Cette clé peut utiliser toutes les régions. Une requête peut les restreindre avec le champ region.",
    here: "Régions de cette installation : {{list}}.",
  },
};
