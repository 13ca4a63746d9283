export default {
  greeting: "Bonjour {{name}},",
  greetingPlain: "Bonjour,",
  otherwise: "Si le bouton ne fonctionne pas, ouvrez cette adresse :",
  ignore: "Si ce n’était pas vous, vous n’avez rien à faire.",
  ignoreSignUp:
    "Si vous ne vous êtes pas inscrit, vous n’avez rien à faire : sans cette confirmation, aucun compte n’est créé.",
  ignoreReset: "Si vous n’avez rien demandé, vous n’avez rien à faire : votre mot de passe reste le même.",
  ignoreInvite: "Si vous ne connaissez pas l’expéditeur, vous n’avez rien à faire.",
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
    text: "Vous vous êtes inscrit à {{brand}} avec l’adresse {{email}}. Confirmez qu’elle est bien la vôtre, et votre compte est prêt.",
    action: "Confirmer mon adresse",
  },
  exists: {
    subject: "Vous avez déjà un compte chez {{brand}}",
    text: "Quelqu’un, sans doute vous, vient d’essayer de s’inscrire à {{brand}} avec cette adresse. Un compte existe déjà : connectez-vous.",
    forgotten: "Si vous ne connaissez plus le mot de passe, vous pouvez en choisir un nouveau au même endroit.",
    action: "Se connecter",
  },
  reset: {
    subject: "Un nouveau mot de passe pour {{brand}}",
    text: "Vous avez demandé un nouveau mot de passe pour {{brand}}. Choisissez-le en suivant ce lien ; tous les navigateurs connectés seront déconnectés.",
    action: "Choisir un nouveau mot de passe",
  },
  provider: {
    subject: "Comment vous vous connectez à {{brand}}",
    text: "Vous avez demandé un nouveau mot de passe pour {{brand}}. Votre compte n’en a pas : vous vous connectez avec {{provider}}.",
    action: "Aller à la page de connexion",
  },
  invite: {
    subject: "Rejoignez {{organisation}} sur {{brand}}",
    text: "{{invitedBy}} vous invite à travailler avec {{organisation}} sur {{brand}}.",
    role: "Votre rôle : {{role}}.",
    action: "Voir l’invitation",
  },
  newSignIn: {
    subject: "Nouvelle connexion à votre compte {{brand}}",
    text: "Votre compte chez {{brand}} vient d’être utilisé dans un navigateur où il ne l’avait jamais été.",
    facts: "{{at}}, depuis {{address}}, {{browser}}",
    advice:
      "Si c’était vous, tout va bien. Sinon, choisissez tout de suite un nouveau mot de passe : cela déconnecte tous les navigateurs.",
    action: "Choisir un nouveau mot de passe",
  },
  passwordChanged: {
    subject: "Votre mot de passe {{brand}} a été modifié",
    text: "Le mot de passe de votre compte chez {{brand}} vient d’être modifié. Tous les autres navigateurs sont déconnectés.",
    advice: "Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe.",
    action: "Choisir un nouveau mot de passe",
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
    text: "Quelqu’un a saisi le bon mot de passe de votre compte {{brand}}, mais il y avait eu trop de tentatives auparavant. Si c’était vous, terminez la connexion avec ce lien. Il ne fonctionne que dans le navigateur où vous avez essayé de vous connecter.",
    action: "Terminer la connexion",
    advice:
      "Si ce n’était pas vous, quelqu’un connaît votre mot de passe. Choisissez-en un nouveau dès maintenant : {{url}}",
  },
  passwordSet: {
    subject: "Votre compte {{brand}} a maintenant un mot de passe",
    text: "Un mot de passe a été défini pour votre compte {{brand}}. Vous pouvez l’utiliser pour vous connecter, comme votre fournisseur d’identité. Tous les autres navigateurs sont déconnectés.",
  },
  linked: {
    subject: "{{provider}} ouvre désormais votre compte {{brand}}",
    text: "Vous pouvez désormais vous connecter à {{brand}} avec {{provider}} en tant que {{identity}}.",
    advice: "Si ce n’était pas vous, dissociez-le dans vos paramètres et choisissez aussitôt un nouveau mot de passe.",
    action: "Ouvrir les paramètres",
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
    advice: "Si vous ne vous y attendiez pas, renseignez-vous et retirez le rôle ou l’invitation.",
    action: "Ouvrir les personnes",
  },
  adminKey: {
    subject: "Nouvelle clé d’administration dans {{organisation}}",
    text: "{{by}} a créé la clé d’administration « {{key}} » dans {{organisation}}. Elle permet de créer et de modifier toutes les clés de l’organisation.",
    rotated:
      "{{by}} a donné un nouveau secret à la clé d’administration « {{key}} » dans {{organisation}}. Elle permet de créer et de modifier toutes les clés de l’organisation.",
    advice:
      "Si ce n’était ni vous ni un collègue, révoquez la clé et demandez à {{by}} de choisir un nouveau mot de passe.",
    action: "Ouvrir la clé",
  },
};
