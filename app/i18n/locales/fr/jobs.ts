export default {
  title: "Tâches",
  subtitle: "Travaux récurrents de cette installation",
  table: "Tâches, avec leur dernière et leur prochaine exécution",
  col: {
    job: "Tâche",
    schedule: "Fréquence",
    last: "Dernière exécution",
    result: "Résultat",
    next: "Prochaine exécution",
    actions: "Actions",
  },
  every: "Toutes les {{time}}",
  scope: { installation: "Une fois par installation", process: "Dans chaque processus" },
  scopeHint: "Les tâches exécutées dans chaque processus sont affichées telles qu’elles sont dans {{process}}.",
  never: "Pas encore",
  running: "En cours",
  runningFor: "depuis {{time}}",
  due: "maintenant",
  late: "En retard",
  handled_one: "{{count, number}} élément",
  handled_many: "{{count, number}} d’éléments",
  handled_other: "{{count, number}} éléments",
  failures_one: "{{count, number}} échec d’affilée",
  failures_many: "{{count, number}} d’échecs d’affilée",
  failures_other: "{{count, number}} échecs d’affilée",
  result: {
    succeeded: "Réussie",
    failed: "Échouée",
    timed_out: "Délai dépassé",
    interrupted: "Interrompue",
    abandoned: "Abandonnée",
  },
  run: "Exécuter",
  runTitle: "Exécuter « {{job}} » maintenant ?",
  runText: "La tâche démarre dans la seconde. Le journal d’audit enregistre qui l’a lancée.",
  runTextProcess:
    "La tâche démarre dans la seconde dans chaque processus. Le journal d’audit enregistre qui l’a lancée.",
  requested: "La tâche démarrera dans la seconde.",
  runs: {
    title: "Exécutions récentes",
    hint: "Exécutions utiles, échouées ou lancées à la main, conservées 7 jours",
    table: "Exécutions récentes, de la plus récente à la plus ancienne",
    col: { started: "Début", job: "Tâche", result: "Résultat", duration: "Durée", process: "Processus" },
    byHand: "Lancée à la main",
    filter: "Tâche",
    all: "Toutes les tâches",
    empty: "Aucune exécution pour le moment",
    emptyText: "Les exécutions qui n’ont rien à faire ne sont pas affichées.",
    nothing: "Aucune exécution de cette tâche",
    nothingText: "Elle n’a rien eu à faire ces 7 derniers jours. Effacez le filtre pour voir les autres tâches.",
  },
  job: {
    "release-expired-holds": {
      name: "Libérer les réservations expirées",
      about: "Libère les montants réservés par des requêtes dont le processus a disparu, ou les met en examen.",
    },
    "settle-reviewed-holds": {
      name: "Régler les réservations en examen",
      about: "Facture après 15 minutes les requêtes en examen selon leur dernière consommation connue.",
    },
    "sweep-merged-wallets": {
      name: "Vider les portefeuilles fusionnés",
      about:
        "Transfère à son successeur l’argent arrivé en retard dans un portefeuille fusionné et règle les montants dus avec l’argent reçu.",
    },
    "settle-stored-answers": {
      name: "Régler les réponses enregistrées",
      about: "Facture les requêtes répondues dont le processus s’est arrêté avant de le faire.",
    },
    "purge-stored-answers": {
      name: "Purger les réponses enregistrées",
      about: "Supprime après 24 heures les réponses conservées pour une Idempotency-Key.",
    },
    "purge-conversations": {
      name: "Purger les conversations",
      about: "Supprime les conversations stockées à la fin de la durée de conservation de leur organisation.",
    },
    "purge-stored-responses": {
      name: "Purger les réponses stockées",
      about: "Supprime les réponses stockées de l’API Responses à la fin de leur durée de conservation.",
    },
    "purge-files": {
      name: "Purger les fichiers",
      about:
        "Supprime les fichiers de l’API Files à la fin de leur durée de conservation, ainsi que les envois interrompus.",
    },
    "run-batches": {
      name: "Exécuter les lots",
      about: "Vérifie les fichiers des lots, exécute leurs lignes et écrit les résultats.",
    },
    "purge-batches": {
      name: "Purger les lots",
      about: "Supprime les lots terminés depuis 30 jours.",
    },
    "add-up-usage": {
      name: "Additionner l’utilisation par jour",
      about:
        "Additionne l’utilisation de chaque jour une fois terminé, pour que les longues périodes s’affichent vite.",
    },
    "purge-rejections": {
      name: "Purger les requêtes rejetées",
      about: "Supprime les requêtes rejetées des clés après 7 jours et leur nombre par heure après 400.",
    },
    "write-exports": { name: "Préparer les exports", about: "Prépare les fichiers de rapports demandés." },
    "purge-exports": { name: "Purger les exports", about: "Supprime les fichiers de rapports après 7 jours." },
    "run-report-schedules": {
      name: "Exécuter les planifications",
      about: "Lance les rapports planifiés arrivés à échéance.",
    },
    "deliver-reports": {
      name: "Envoyer les rapports",
      about: "Envoie les e-mails et les webhooks des rapports planifiés.",
    },
    "purge-report-runs": {
      name: "Purger les exécutions de rapports",
      about: "Supprime les exécutions des planifications après 400 jours.",
    },
    "purge-sessions": {
      name: "Purger les sessions",
      about: "Supprime les sessions terminées, les inscriptions non confirmées et les liens utilisés.",
    },
    "evaluate-budgets": {
      name: "Évaluer les budgets",
      about: "Repère les budgets et les portefeuilles qui ont atteint un seuil.",
    },
    "send-billing-notices": {
      name: "Envoyer les avis de facturation",
      about:
        "Écrit aux personnes concernées lorsqu’une limite de recharge automatique est atteinte, qu’une carte enregistrée expire ou qu’elles paient pour une autre personne.",
    },
    "top-up-wallets": {
      name: "Recharger les portefeuilles",
      about:
        "Débite les cartes enregistrées pour les portefeuilles sous leur seuil et vérifie les débits dont l’issue est inconnue.",
    },
    "send-alerts": {
      name: "Envoyer les alertes",
      about: "Envoie les alertes de budget en attente et réessaie celles qui ont échoué.",
    },
    "purge-alerts": { name: "Purger les alertes", about: "Supprime les alertes de budget après 400 jours." },
    "purge-emails": { name: "Purger les e-mails", about: "Supprime les e-mails envoyés ou devenus inutiles." },
    "purge-token-events": {
      name: "Purger les événements des accès",
      about: "Supprime après 30 jours les événements des accès aux fournisseurs.",
    },
    "purge-job-runs": {
      name: "Purger les exécutions",
      about: "Supprime après 7 jours les exécutions affichées ci-dessous.",
    },
    "extend-holds": {
      name: "Prolonger les réservations",
      about: "Garde réservés les montants des requêtes encore en cours.",
    },
    "recover-settlements": {
      name: "Rattraper les règlements",
      about: "Facture les requêtes terminées pendant que la base de données était injoignable.",
    },
    "send-emails": { name: "Envoyer les e-mails", about: "Envoie les e-mails en attente et réessaie les échecs." },
    "renew-supplier-tokens": {
      name: "Renouveler les jetons des fournisseurs",
      about: "Renouvelle les jetons d’accès des fournisseurs avant leur expiration.",
    },
    "log-audit-head": {
      name: "Consigner la fin du journal d’audit",
      about: "Écrit la dernière empreinte du journal d’audit dans le journal du processus.",
    },
    "check-bus": {
      name: "Vérifier les notifications",
      about: "Vérifie la connexion par laquelle les processus apprennent les changements.",
    },
    "seal-addresses": {
      name: "Chiffrer les adresses des webhooks",
      about: "Chiffre les adresses de webhooks qu’une version antérieure a enregistrées en clair.",
    },
    "note-functions": {
      name: "Noter la version utilisée",
      about:
        "Enregistre la version des fonctions de base de données que ce processus utilise, pour qu’une mise à niveau les conserve.",
    },
    "apply-payment-events": {
      name: "Appliquer les événements de paiement",
      about: "Crédite les portefeuilles de ce que le prestataire de paiement a signalé et réessaie ce qui a échoué.",
    },
    "look-up-payments": {
      name: "Rechercher les paiements",
      about: "Interroge le prestataire de paiement sur les paiements sans nouvelles et récupère les reçus.",
    },
    "report-payment-problems": {
      name: "Signaler les problèmes de paiement",
      about:
        "Informe par e-mail les administrateurs de la plateforme des nouveaux événements de paiement en échec, des paiements crédités différemment et des recharges automatiques en pause.",
    },
    "check-payment-connection": {
      name: "Vérifier la connexion au prestataire de paiement",
      about: "Demande au prestataire de paiement s’il accepte la clé de gw et livre les événements nécessaires.",
    },
    "compare-payment-events": {
      name: "Comparer les événements de paiement",
      about:
        "Compare les événements reçus avec la liste du prestataire de paiement des trois derniers jours et applique ceux qui manquent.",
    },
    "apply-promotions": {
      name: "Appliquer les promotions",
      about:
        "Attribue les promotions aux nouveaux venus, impute les dépenses sur le crédit promotionnel et reprend ce qui a expiré.",
    },
    "audit-ledger": {
      name: "Auditer le grand livre",
      about: "Vérifie que les comptes sont justes et les compare au prestataire de paiement.",
    },
  },
};
