export default {
  greeting: "Bonjour {{name}},",
  greetingPlain: "Bonjour,",
  otherwise: "Si le bouton ne fonctionne pas, ouvrez ce lien :",
  ignore: "Si ce n’était pas vous, vous pouvez ignorer cet e-mail.",
  ignoreSignUp:
    "Si vous ne vous êtes pas inscrit, vous pouvez ignorer cet e-mail. Sans cette confirmation, aucun compte n’est créé.",
  ignoreReset: "Si vous n’avez rien demandé, vous pouvez ignorer cet e-mail. Votre mot de passe reste le même.",
  ignoreInvite: "Si vous ne connaissez pas l’expéditeur, vous pouvez ignorer cet e-mail.",
  validMinutes_one: "Le lien fonctionne une seule fois, pendant une minute.",
  validMinutes_many: "Le lien fonctionne une seule fois, pendant {{count, number}} de minutes.",
  validMinutes_other: "Le lien fonctionne une seule fois, pendant {{count, number}} minutes.",
  validHours_one: "Le lien fonctionne une seule fois, pendant une heure.",
  validHours_many: "Le lien fonctionne une seule fois, pendant {{count, number}} d’heures.",
  validHours_other: "Le lien fonctionne une seule fois, pendant {{count, number}} heures.",
  validDays_one: "Le lien fonctionne une seule fois, pendant un jour.",
  validDays_many: "Le lien fonctionne une seule fois, pendant {{count, number}} de jours.",
  validDays_other: "Le lien fonctionne une seule fois, pendant {{count, number}} jours.",
  verify: {
    subject: "Confirmez votre adresse e-mail pour {{brand}}",
    text: "Vous vous êtes inscrit à {{brand}} avec l’adresse {{email}}. Confirmez votre adresse e-mail pour activer votre compte.",
    action: "Confirmer mon adresse e-mail",
  },
  exists: {
    subject: "Vous avez déjà un compte chez {{brand}}",
    text: "Quelqu’un, sans doute vous, a essayé de s’inscrire à {{brand}} avec cette adresse. Vous avez déjà un compte : connectez-vous.",
    forgotten: "Mot de passe oublié ? Vous pouvez le réinitialiser sur la page de connexion.",
    action: "Se connecter",
  },
  reset: {
    subject: "Réinitialisez votre mot de passe {{brand}}",
    text: "Vous avez demandé à réinitialiser votre mot de passe {{brand}}. Choisissez-en un nouveau avec ce lien. Tous les navigateurs seront déconnectés.",
    action: "Choisir un nouveau mot de passe",
  },
  provider: {
    subject: "Comment vous vous connectez à {{brand}}",
    text: "Vous avez demandé à réinitialiser votre mot de passe {{brand}}, mais votre compte n’en a pas. Vous vous connectez avec {{provider}}.",
    action: "Aller à la page de connexion",
  },
  invite: {
    subject: "Rejoignez {{organisation}} sur {{brand}}",
    text: "{{invitedBy}} vous a invité à rejoindre {{organisation}} sur {{brand}}.",
    role: "Votre rôle : {{role}}.",
    action: "Voir l’invitation",
  },
  newSignIn: {
    subject: "Nouvelle connexion à votre compte {{brand}}",
    text: "Une connexion à votre compte {{brand}} a eu lieu depuis un nouveau navigateur.",
    facts: "{{at}}, depuis {{address}}, {{browser}}",
    advice:
      "Si c’était vous, vous pouvez ignorer cet e-mail. Sinon, choisissez dès maintenant un nouveau mot de passe : cela déconnecte tous les navigateurs.",
    action: "Choisir un nouveau mot de passe",
  },
  passwordChanged: {
    subject: "Votre mot de passe {{brand}} a été modifié",
    text: "Le mot de passe de votre compte {{brand}} a été modifié. Tous les autres navigateurs ont été déconnectés.",
    advice: "Si ce n’était pas vous, choisissez dès maintenant un nouveau mot de passe.",
    action: "Choisir un nouveau mot de passe",
  },
  webhookDisabled: {
    subject: "Votre webhook d’alertes a été désactivé",
    text: "Il a échoué 20 fois de suite : les alertes ne lui sont plus envoyées. Les alertes par e-mail continuent. Enregistrez de nouveau le webhook pour le réactiver.",
  },
  autoTopupDeclined: {
    subject: "Échec de la recharge automatique : {{payer}}",
    text: "Nous n’avons pas pu débiter {{amount, usd}} de votre carte {{card}} pour recharger le portefeuille de « {{payer}} ». Motif : {{reason}}",
    next: "La prochaine tentative aura lieu au plus tôt le {{at}}. Pour que les requêtes continuent, ajoutez des fonds ou utilisez une autre carte.",
    cardRefused:
      "Votre carte ne sera plus débitée automatiquement. Pour que la recharge automatique continue, choisissez une autre carte par défaut.",
    action: "Ouvrir la facturation",
    why: "Vous recevez cet e-mail parce que la recharge automatique débite votre carte.",
  },
  autoTopupPaused: {
    subject: "Recharge automatique en pause : {{payer}}",
    refund:
      "Un paiement de {{amount, usd}} a été remboursé. La recharge automatique du portefeuille de « {{payer}} » est donc en pause.",
    dispute:
      "Un paiement de {{amount, usd}} a été contesté auprès de la banque. La recharge automatique du portefeuille de « {{payer}} » est donc en pause.",
    inquiry:
      "Une banque a demandé des informations sur un paiement de {{amount, usd}}. La recharge automatique du portefeuille de « {{payer}} » est donc en pause.",
    fraud_warning:
      "Une banque a signalé un paiement de {{amount, usd}} comme fraude possible. La recharge automatique du portefeuille de « {{payer}} » est donc en pause.",
    next: "Votre carte ne sera plus débitée automatiquement tant que vous n’aurez pas donné un nouvel accord. Les requêtes continuent tant qu’il reste des fonds.",
    action: "Vérifier la recharge automatique",
  },
  paymentProblems: {
    subject: "Des paiements demandent votre attention",
    connection_one: "La connexion au prestataire de paiement présente {{count, number}} problème.",
    connection_many: "La connexion au prestataire de paiement présente {{count, number}} problèmes.",
    connection_other: "La connexion au prestataire de paiement présente {{count, number}} problèmes.",
    events_one: "{{count, number}} événement de paiement n’a pas pu être appliqué.",
    events_many: "{{count, number}} événements de paiement n’ont pas pu être appliqués.",
    events_other: "{{count, number}} événements de paiement n’ont pas pu être appliqués.",
    mismatches_one: "{{count, number}} paiement a été crédité d’un montant différent de celui demandé.",
    mismatches_many: "{{count, number}} paiements ont été crédités d’un montant différent de celui demandé.",
    mismatches_other: "{{count, number}} paiements ont été crédités d’un montant différent de celui demandé.",
    pauses_one:
      "{{count, number}} recharge automatique a été mise en pause, car un paiement a été remboursé ou contesté.",
    pauses_many:
      "{{count, number}} recharges automatiques ont été mises en pause, car un paiement a été remboursé ou contesté.",
    pauses_other:
      "{{count, number}} recharges automatiques ont été mises en pause, car un paiement a été remboursé ou contesté.",
    action: "Ouvrir l’administration de la facturation",
    why: "Vous recevez cet e-mail parce que vous administrez cette plateforme.",
  },
  autoTopupConfirm: {
    subject: "Confirmez un paiement : {{payer}}",
    text: "Votre banque vous demande de confirmer un paiement de {{amount, usd}} qui recharge le portefeuille de « {{payer}} ». Rien n’a été débité.",
    until: "La page reste ouverte 24 heures. Sans confirmation, rien n’est débité et nous réessayons plus tard.",
    action: "Confirmer le paiement",
  },
  reportReady: {
    subject: "Rapport prêt : {{report}}",
    text_one:
      "Votre rapport planifié « {{report}} » est prêt. Il compte une ligne, et le fichier est conservé 7 jours.",
    text_many:
      "Votre rapport planifié « {{report}} » est prêt. Il compte {{count, number}} de lignes, et le fichier est conservé 7 jours.",
    text_other:
      "Votre rapport planifié « {{report}} » est prêt. Il compte {{count, number}} lignes, et le fichier est conservé 7 jours.",
    action: "Télécharger le rapport",
    why: "Vous recevez cet e-mail parce que vous avez planifié ce rapport. Vous pouvez désactiver la planification dans Rapports.",
  },
  reportFailed: {
    subject: "Rapport non envoyé : {{report}}",
    text: "Votre rapport planifié « {{report}} » n’a pas pu être préparé. Si votre rôle, votre département ou votre organisation a changé, sa planification est désactivée ; vous pouvez la recréer.",
    action: "Voir les planifications",
  },
  budgetAlert: {
    threshold: {
      subject: "Alerte de budget : {{name}} a dépensé {{share, number}} %",
      text: "{{scope}} « {{name}} » : au moins {{share, number}} % du budget sont dépensés.",
    },
    low_balance: {
      subject: "Solde bas : {{name}}",
      text: "Le portefeuille de « {{name}} » est à {{threshold, usd}} ou moins. Ajoutez des fonds pour que les requêtes continuent.",
    },
    refusing: {
      subject: "Budget épuisé : {{name}}",
      text: "{{scope}} « {{name}} » : le budget est épuisé et les requêtes sont rejetées. Augmentez la limite ou attendez la réinitialisation.",
    },
    accepting: {
      subject: "Budget de nouveau disponible : {{name}}",
      text: "{{scope}} « {{name}} » : du budget est de nouveau disponible. Les requêtes sont acceptées.",
    },
    wallet_refusing: {
      subject: "Portefeuille épuisé : {{name}}",
      text: "Le portefeuille de « {{name}} » ne couvre plus les requêtes, elles sont donc rejetées. Ajoutez des fonds pour que les requêtes continuent.",
    },
    wallet_accepting: {
      subject: "Portefeuille réapprovisionné : {{name}}",
      text: "Le portefeuille de « {{name}} » est de nouveau approvisionné. Les requêtes sont acceptées.",
    },
    amounts: "Dépensé {{spent, usd}}, réservé {{held, usd}}, disponible {{available, usd}} sur {{limit, usd}}.",
    balance: "Disponible : {{available, usd}}, dont sont déjà déduits {{held, usd}} réservés aux requêtes en cours.",
    runsOut: "À ce rythme, il sera épuisé le {{at}}.",
    resets: "Il se réinitialise le {{at}}.",
    action: "Voir les alertes",
    why: "Vous recevez cet e-mail car les alertes de budget sont activées.",
  },
  topupLimit: {
    subject: "Limite de recharge automatique atteinte : {{payer}}",
    day: "Le portefeuille de « {{payer}} » est sous son seuil, mais une recharge de {{amount, usd}} dépasserait sa limite quotidienne. Votre carte n’a pas été débitée. La recharge automatique reprend à minuit UTC.",
    month:
      "Le portefeuille de « {{payer}} » est sous son seuil, mais une recharge de {{amount, usd}} dépasserait sa limite mensuelle. Votre carte n’a pas été débitée. La recharge automatique reprend au début du mois prochain (UTC).",
    advice: "Pour que les requêtes ne soient pas rejetées, ajoutez des fonds ou relevez la limite.",
  },
  cardExpires: {
    subject: "Votre carte {{card}} arrive à expiration",
    text: "Votre carte enregistrée {{card}} est valable jusqu’à la fin de {{month}}.",
    advice: "Enregistrez une autre carte pour que les paiements et la recharge automatique continuent de fonctionner.",
  },
  paidFor: {
    subject: "Votre portefeuille a payé pour {{person}} ce mois-ci",
    text: "Ce mois-ci, des requêtes de {{person}} ont été débitées de votre portefeuille, car vous avez accepté de payer. Le relevé du mois indique le montant.",
  },
  payerRequest: {
    subject: "{{asker}} vous demande de payer son utilisation",
    text: "{{asker}} vous demande de payer son utilisation.",
    meaning:
      "Si vous acceptez, elle est débitée de votre propre portefeuille, crédit compris. Vous pouvez refuser, et arrêter à tout moment.",
  },
  payerOffer: {
    subject: "{{asker}} propose de payer votre utilisation",
    text: "{{asker}} propose de payer votre utilisation.",
    meaning:
      "Si vous acceptez, vos requêtes sont débitées de son portefeuille, et {{asker}} en voit le coût. Chacun peut y mettre fin à tout moment.",
  },
  payerAccepted: {
    subject: "Vous payez désormais pour {{person}}",
    text: "À partir de maintenant, l’utilisation de {{person}} est débitée de votre portefeuille, crédit compris.",
    stop: "Vous pouvez arrêter à tout moment sur la page de facturation. Les requêtes déjà en cours vous seront encore débitées.",
    action: "Ouvrir la facturation",
  },
  payerEnded: {
    subject: "{{person}} ne paie plus pour vous",
    subjectPayer: "Vous ne payez plus pour {{person}}",
    why: "Votre accord avec {{person}} a pris fin de lui-même : l’un de vous a quitté l’organisation, ou un compte a été fermé.",
    meaning:
      "Votre utilisation est de nouveau débitée de votre propre portefeuille, ou de celui qui paie pour votre organisation. Vérifiez qu’il est approvisionné.",
    meaningPayer: "Les requêtes déjà en cours vous seront encore débitées.",
  },
  payerNomination: {
    subject: "Payer pour {{organisation}} ?",
    text: "{{asker}} vous demande de payer pour tous les membres de {{organisation}}.",
    meaning:
      "Si vous acceptez, tout ce qu’ils consomment est débité de votre propre portefeuille, crédit compris. Vous pouvez refuser, et arrêter à tout moment.",
    action: "Voir la demande",
    until: "Tant que vous n’acceptez pas, rien ne change.",
  },
  signInLink: {
    subject: "Terminez votre connexion à {{brand}}",
    text: "Quelqu’un a saisi le bon mot de passe de votre compte {{brand}} après de trop nombreuses tentatives. Si c’était vous, terminez la connexion avec ce lien. Il ne fonctionne que dans le navigateur où vous avez essayé de vous connecter.",
    action: "Terminer la connexion",
    advice:
      "Si ce n’était pas vous, quelqu’un connaît votre mot de passe. Choisissez-en un nouveau dès maintenant : {{url}}",
  },
  passwordSet: {
    subject: "Votre compte {{brand}} a maintenant un mot de passe",
    text: "Votre compte {{brand}} a maintenant un mot de passe. Vous pouvez vous connecter avec lui ou avec votre fournisseur d’identité. Tous les autres navigateurs ont été déconnectés.",
  },
  linked: {
    subject: "Connexion avec {{provider}} liée à votre compte {{brand}}",
    text: "Vous pouvez désormais vous connecter à {{brand}} avec {{provider}} en tant que {{identity}}.",
    advice:
      "Si ce n’était pas vous, dissociez-le dans les réglages et choisissez dès maintenant un nouveau mot de passe.",
    action: "Ouvrir les réglages",
  },
  role: {
    subject: "Votre rôle sur {{brand}} a changé",
    text: "{{by}} a changé votre rôle sur {{brand}} de {{before}} à {{after}}. Vous avez été déconnecté ; reconnectez-vous pour continuer.",
    advice: "Si vous ne vous y attendiez pas, demandez à un administrateur de votre organisation.",
    action: "Se connecter",
  },
  granted: {
    subject: "Nouveau rôle attribué sur {{brand}} : {{role}}",
    text: "{{by}} a donné à {{person}} le rôle {{role}}.",
    invited: "{{by}} a invité {{person}} avec le rôle {{role}}.",
    advice: "Si vous ne vous y attendiez pas, renseignez-vous, puis retirez le rôle ou révoquez l’invitation.",
    action: "Ouvrir les personnes",
  },
  adminKey: {
    subject: "Nouvelle clé d’administration dans {{organisation}}",
    text: "{{by}} a créé la clé d’administration « {{key}} » dans {{organisation}}. Elle permet de créer et de modifier toutes les clés de l’organisation.",
    rotated:
      "{{by}} a renouvelé le secret de la clé d’administration « {{key}} » dans {{organisation}}. Elle permet de créer et de modifier toutes les clés de l’organisation.",
    advice:
      "Si ce n’était ni vous ni un collègue, révoquez la clé et demandez à {{by}} de choisir un nouveau mot de passe.",
    action: "Voir la clé",
  },
};
