export default {
  frame: {
    skip: "Aller au contenu",
    language: "Langue",
    terms: "Conditions",
    privacy: "Confidentialité",
  },
  fields: {
    email: "Adresse e-mail",
    password: "Mot de passe",
    passwordHint: "Dix caractères au minimum. Plusieurs mots se retiennent facilement.",
    name: "Votre nom",
    organisation: "Organisation (facultatif)",
  },
  login: {
    title: "Connexion",
    submit: "Se connecter",
    forgot: "J’ai oublié mon mot de passe",
    or: "ou",
    with: "Se connecter avec {{provider}}",
    new: "Nouveau sur {{brand}} ?",
    signUp: "Créer un compte",
  },
  signUp: {
    title: "Créer un compte",
    titleProvider: "Encore une étape",
    titleInvite: "Sur invitation",
    textInvite:
      "Ici, les comptes s’ouvrent sur invitation. Demandez à un administrateur de votre organisation de vous inviter ; le message contient un lien d’accès.",
    lead: "Vous obtenez votre propre organisation et sa clé d’administration racine. Vos collègues pourront la rejoindre plus tard.",
    organisationHint: "Si le champ reste vide, elle portera votre nom.",
    accept:
      "J’accepte les <terms>conditions d’utilisation</terms> et les <aup>règles d’usage</aup>, et j’ai lu la <privacy>notice de confidentialité</privacy>.",
    submit: "Créer le compte",
    have: "Vous avez un compte ?",
    signIn: "Se connecter",
    as: "Votre adresse :",
    with: "Créer le compte avec {{provider}}",
  },
  forgot: {
    title: "Mot de passe oublié",
    lead: "Indiquez votre adresse : nous vous envoyons un lien pour choisir un nouveau mot de passe.",
    submit: "Envoyer le lien",
    sentTitle: "Consultez votre boîte de réception",
    sentText:
      "S’il existe un compte avec cette adresse, un message contenant un lien est en route. Le lien fonctionne pendant 30 minutes.",
    back: "Retour à la connexion",
    again: "Renvoyer",
  },
  reset: {
    title: "Choisissez un nouveau mot de passe",
    lead: "Vous vous reconnecterez avec lui ; tous les navigateurs connectés seront déconnectés.",
    password: "Nouveau mot de passe",
    submit: "Enregistrer le nouveau mot de passe",
    done: "Votre nouveau mot de passe est enregistré. Connectez-vous avec lui.",
    notUsableTitle: "Ce lien ne fonctionne plus",
    notUsableText: "Il a été utilisé, il a expiré, ou un plus récent a été envoyé. Demandez-en un autre.",
    another: "Demander un autre lien",
  },
  verify: {
    title: "Consultez votre boîte de réception",
    waitText:
      "Nous avons envoyé un message à <address>{{email}}</address>. Ouvrez le lien qu’il contient, et votre compte est prêt.",
    waitTextUnknown:
      "À l’inscription, nous vous envoyons un message. Ouvrez le lien qu’il contient, et votre compte est prêt.",
    resendHint: "Rien reçu ? Regardez parmi les indésirables, ou faites-le renvoyer.",
    resend: "Renvoyer",
    sentAgain:
      "Si une inscription attend pour cette adresse, un autre message est en route. Le lien précédent n’est plus valable.",
    confirmTitle: "Confirmez votre adresse",
    confirmText: "Vous vous êtes inscrit à {{brand}} avec l’adresse <address>{{email}}</address>.",
    passwordHint: "Celui que vous avez choisi à l’inscription : ceci est un autre navigateur.",
    confirm: "Confirmer et ouvrir mon compte",
    confirmed: "Votre adresse est confirmée. Bienvenue !",
    notUsableTitle: "Ce lien ne fonctionne plus",
    notUsableText:
      "Il a été utilisé, il a expiré, ou un plus récent a été envoyé. Si votre compte est prêt, connectez-vous ; sinon, demandez un autre message.",
  },
  terms: {
    title: "Nouvelles conditions",
    lead: "Ces documents sont en vigueur depuis le {{since}}. Acceptez-les pour continuer ; vos clés fonctionnent en attendant.",
    documents: {
      terms: "Conditions d’utilisation",
      aup: "Règles d’usage",
      privacy: "Notice de confidentialité",
    },
    accept: "Accepter et continuer",
    signOut: "Se déconnecter",
  },
  suspended: {
    title: "Ce compte est suspendu",
    text: "Un administrateur l’a arrêté pour l’instant. Rien n’est perdu.",
    point1: "Ses clés sont refusées et personne ne peut s’y connecter.",
    point2: "Les clés, rapports et réglages restent tels quels.",
    point3: "Un administrateur de votre organisation peut lever la suspension à tout moment.",
  },
  archived: {
    title: "Ce compte est fermé",
    text: "Il a été archivé et n’est plus utilisé.",
    point1: "Ses clés ne fonctionnent plus et personne ne peut s’y connecter.",
    point2: "Ce qu’il a consommé et payé reste dans les comptes de l’organisation.",
    point3: "S’il s’agit d’une erreur, un administrateur de votre organisation peut le rouvrir.",
  },
  setup: {
    title: "Configurez votre compte",
    lead: "Vous devenez propriétaire de cette installation. Le lien qui vous a amené ici fonctionne une seule fois.",
    nothingSaved: "Rien n’a encore été enregistré. Corrigez ce qui est signalé ci-dessous.",
  },
  closed: {
    write: "Écrire à l’exploitant",
    other: "Utiliser un autre compte",
  },
  linked: "La connexion est liée à votre compte.",
};
