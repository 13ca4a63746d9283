export default {
  enterEmail: "Saisissez une adresse e-mail.",
  emailTooLong: "Cette adresse e-mail est trop longue.",
  emailMalformed: "Cela ne ressemble pas à une adresse e-mail. Vérifiez qu’il n’y a pas de faute de frappe.",
  enterName: "Saisissez votre nom.",
  enterAName: "Saisissez un nom.",
  at60: "60 caractères au maximum.",
  at80: "80 caractères au maximum.",
  at120: "120 caractères au maximum.",
  at500: "500 caractères au maximum.",
  nameUnshowable: "Ce nom contient des caractères qui ne peuvent pas être affichés.",
  textUnshowable: "Ce texte contient des caractères qui ne peuvent pas être affichés.",
  passwordShort: "10 caractères au minimum.",
  passwordLong: "Ce mot de passe est trop long.",
  passwordMonotonous: "Utilisez davantage de caractères différents, par exemple plusieurs mots.",
  passwordCommon: "Trop de gens utilisent ce mot de passe. Prenez plusieurs mots sans lien entre eux.",
  notYourPassword: "Ce n’est pas votre mot de passe.",
  passwordHasEmail: "Le mot de passe ne doit pas contenir l’adresse e-mail.",
  enterPassword: "Saisissez votre mot de passe.",
  fillIn: "Remplissez ce champ.",
  acceptTerms: "Acceptez les conditions pour continuer.",
  emailNotVerified:
    "Votre adresse e-mail n’est pas encore confirmée. Ouvrez le lien du message que nous avons envoyé, ou faites-le renvoyer.",
  invalidCredentials:
    "L’adresse e-mail ou le mot de passe est incorrect. Vérifiez les deux, ou réinitialisez le mot de passe.",
  ssoOnly:
    "Votre organisation se connecte par son propre fournisseur d’identité. Utilisez ce bouton plutôt qu’un mot de passe.",
  noReseller: "Aucun revendeur ne correspond à cette adresse. Vérifiez l’adresse du portail.",
  weakPassword:
    "Ce mot de passe est trop facile à deviner. Utilisez au moins dix caractères, par exemple plusieurs mots.",
  emailTaken: "Un compte existe déjà avec cette adresse e-mail. Connectez-vous ou utilisez une autre adresse.",
  invalidToken: "Ce lien ou ce jeton n’est plus valable. Demandez-en un nouveau.",
  authContextDenied:
    "Cette connexion ne peut pas être utilisée ici. Reconnectez-vous depuis la page ou l’application où vous travaillez.",
  conflict: "Quelqu’un d’autre a modifié ceci entre-temps. Rechargez, puis refaites votre modification.",
  forbidden: "Vous n’avez pas le droit de faire cela. Demandez l’accès à un administrateur de votre organisation.",
  notFound: "Il n’y a rien à cette adresse. Vérifiez le chemin et l’identifiant.",
  accountStatus: "Ce compte est suspendu ou archivé. Demandez à votre administrateur de le réactiver.",
  internalError:
    "Une erreur s’est produite de notre côté. Réessayez ; si cela se reproduit, donnez l’identifiant de la requête à l’assistance.",
  serviceUnavailable: "Le service n’est pas disponible pour le moment. Attendez le temps indiqué, puis réessayez.",
  tooManyAttempts: "Trop de tentatives. Attendez un peu avant de réessayer.",
  tooManyAttemptsMailed:
    "Trop de tentatives. Si le mot de passe était correct, nous vous avons envoyé par e-mail un lien pour terminer la connexion.",
  signInLinkEnded: "Ce lien a été utilisé, a expiré ou appartient à un autre navigateur. Connectez-vous de nouveau.",
  providerProvesNothing:
    "Le fournisseur d’identité n’a pas confirmé que vous venez de vous reconnecter : cela ne prouve donc rien. Réessayez.",
  crowd: "Trop de personnes se connectent en ce moment. Réessayez dans quelques secondes.",
  signUpPassword: "Saisissez le mot de passe que vous avez choisi à l’inscription.",
  linkEnded: "Ce lien a été utilisé ou a expiré. Demandez-en un nouveau.",
  confirmationEnded:
    "Ce lien a été utilisé ou a expiré. Faites-en envoyer un nouveau, ou connectez-vous si votre compte est prêt.",
  byInvitation: "Ici, les comptes s’ouvrent sur invitation. Demandez à un administrateur de vous inviter.",
  takenProveFirst:
    "Un compte existe déjà avec cette adresse. Connectez-vous-y une fois, et cette connexion y sera liée.",
  acceptFirst: "Encore une étape : acceptez les conditions, et votre compte est ouvert.",
  providerRefused: "Le fournisseur d’identité ne vous a pas connecté. Réessayez ou connectez-vous autrement.",
  providerAnswer: "La réponse du fournisseur d’identité n’a pas pu être acceptée. Recommencez.",
  providerAway:
    "Le fournisseur d’identité est injoignable pour le moment. Réessayez bientôt ou connectez-vous autrement.",
  providerNoEmail:
    "Le fournisseur d’identité n’a pas communiqué votre adresse e-mail. Autorisez-le ou connectez-vous autrement.",
  providerUnconfirmed:
    "Le fournisseur d’identité n’a pas confirmé votre adresse e-mail. Confirmez-la chez lui, puis réessayez.",
  notBegunHere: "Cette connexion n’a pas été commencée ici. Recommencez.",
  otherPortal: "Ce compte n’appartient pas à ce portail. Connectez-vous là où il a été ouvert.",
  linkedElsewhere: "Cette connexion appartient déjà à un autre compte.",
  creditCeiling:
    "Au plus {{amount}} $ ici : c’est ce que laisse le plafond de crédit de votre organisation. Demandez à ceux qui gèrent cette installation de le relever.",
  payerExempt:
    "Cette personne est exemptée de facturation : personne ne paierait. Adressez-vous à ceux qui gèrent cette installation.",
  nobodyAsks: "Personne ne vous demande de payer pour votre organisation.",
  doNotPay: "Vous ne payez pas pour votre organisation.",
  noActivePerson: "Il n’y a pas de telle personne active dans cette organisation.",
  creditUsed:
    "Votre portefeuille a utilisé du crédit de votre organisation. Rechargez-le d’abord, ou demandez votre transfert à ceux qui gèrent cette installation.",
  inviteCannotOpen:
    "Cette invitation ne peut pas ouvrir de nouveau compte. Si vous avez déjà un compte, connectez-vous pour l’accepter.",
  invitedByHigher:
    "Quelqu’un de rang supérieur a déjà invité cette adresse. Demandez-lui d’abord de retirer cette invitation.",
  inviteEnded: "Cette invitation a pris fin. Invitez l’adresse à nouveau.",
};
