export default {
  title: "Guide",
  subtitle: "Démarrage rapide avec votre clé, vos modèles et vos régions. Le guide complet est public.",
  full: "Guide complet",
  reference: "Référence de l’API",
  key: {
    label: "Utiliser dans les exemples",
    none: "Vous n’avez pas encore de clé. Les exemples montrent où elle va.",
    create: "Créer une clé",
    secret: "gw ne conserve pas le secret. Mettez-le dans la variable GW_KEY, comme ci-dessous.",
    choose: "Utiliser cette clé",
  },
  contents: "Sur cette page",
  steps: {
    prepare: {
      title: "Gardez votre clé hors du code",
      text: "Définissez le secret une fois comme variable d’environnement. Chaque exemple l’y lit.",
    },
    chat: {
      title: "Chat",
      text: "Fonctionne avec tout client de style chat : changez l’URL de base et la clé. Streaming, outils, images et sorties structurées sont transmis tels quels.",
    },
    messages: {
      title: "Messages",
      text: "Pour les clients de style messages, utilisez l’URL de base sans /v1. Ils envoient la clé dans x-api-key, que gw accepte.",
    },
    native: {
      title: "Agents de code",
      text: "Les agents qui utilisent le protocole natif ont leur propre URL de base.",
    },
    others: { title: "Embeddings, rerank, parole", text: "La même clé, d’autres modèles." },
    read: {
      title: "En-têtes de réponse",
      text: "Chaque réponse hors streaming indique dans ses en-têtes le fournisseur, la région, la bascule et le coût exact.",
    },
    errors: {
      title: "Gérer les erreurs",
      text: "Vérifiez error.code ; le message s’adresse aux humains. 429 et 503 indiquent toujours Retry-After en secondes.",
      recent: "Rejets récents de vos clés",
      none: "Aucune requête rejetée ces 7 derniers jours.",
    },
  },
  models: {
    title: "Modèles accessibles à cette clé",
    none: "Cette clé ne peut utiliser aucun modèle du catalogue.",
    model: "Modèle",
    kind: "Type",
    context: "Contexte",
    regions: "Régions",
    input: "Entrée / M",
    output: "Sortie / M",
    unpriced: "sans prix",
    capabilities: {
      chat: "Chat",
      embedding: "Embeddings",
      rerank: "Rerank",
      moderation: "Modération",
      image: "Images",
      transcription: "Transcription",
      speech: "Parole",
    },
  },
  regions: {
    title: "Régions",
    lock: "Cette clé est limitée à {{list}}. Les requêtes ne quittent jamais ces régions, même en cas de nouvelle tentative.",
    free: "Cette clé peut utiliser toutes les régions. Une requête peut les restreindre avec le champ region.",
    here: "Régions de cette installation : {{list}}.",
  },
};
