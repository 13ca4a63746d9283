export default {
  enterEmail: "Saisissez une adresse e-mail.",
  emailTooLong: "Cette adresse e-mail est trop longue.",
  emailMalformed: "Cette adresse e-mail ne semble pas valide. Vérifiez l’orthographe.",
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
  passwordCommon: "Ce mot de passe est trop courant. Utilisez plusieurs mots sans lien entre eux.",
  notYourPassword: "Le mot de passe est incorrect.",
  passwordHasEmail: "Le mot de passe ne doit pas contenir votre adresse e-mail.",
  enterPassword: "Saisissez votre mot de passe.",
  fillIn: "Remplissez ce champ.",
  acceptTerms: "Veuillez accepter les conditions pour continuer.",
  emailNotVerified:
    "Votre adresse e-mail n’est pas encore confirmée. Ouvrez le lien que nous vous avons envoyé, ou demandez-en un autre.",
  invalidCredentials:
    "L’adresse e-mail ou le mot de passe est incorrect. Vérifiez les deux, ou réinitialisez votre mot de passe.",
  ssoOnly:
    "Votre organisation utilise son propre fournisseur d’identité. Connectez-vous avec lui plutôt qu’avec un mot de passe.",
  noReseller: "Aucun revendeur n’utilise cette adresse. Vérifiez l’adresse du portail.",
  weakPassword:
    "Ce mot de passe est trop facile à deviner. Utilisez au moins 10 caractères, par exemple plusieurs mots.",
  emailTaken: "Un compte existe déjà avec cette adresse e-mail. Connectez-vous ou utilisez une autre adresse.",
  invalidToken: "Ce lien ou ce jeton n’est plus valable. Demandez-en un nouveau.",
  authContextDenied:
    "Vous ne pouvez pas utiliser cette connexion ici. Reconnectez-vous depuis la page ou l’application que vous utilisez.",
  conflict: "Quelqu’un d’autre a modifié ceci. Rechargez, puis refaites votre modification.",
  forbidden: "Vous n’y êtes pas autorisé. Demandez l’accès à un administrateur de votre organisation.",
  notFound: "Introuvable. Vérifiez le chemin et l’identifiant.",
  accountStatus: "Ce compte est suspendu ou archivé. Demandez à un administrateur de le réactiver.",
  internalError:
    "Une erreur s’est produite. Réessayez. Si cela continue, donnez l’identifiant de la requête à l’assistance.",
  serviceUnavailable: "Le service est temporairement indisponible. Réessayez après le délai indiqué dans Retry-After.",
  tooManyAttempts: "Trop de tentatives. Attendez un peu avant de réessayer.",
  tooManyAttemptsMailed:
    "Trop de tentatives. Si le mot de passe était correct, nous vous avons envoyé par e-mail un lien pour terminer la connexion.",
  signInLinkEnded: "Ce lien a été utilisé, a expiré ou appartient à un autre navigateur. Connectez-vous de nouveau.",
  providerProvesNothing: "Le fournisseur d’identité n’a pas confirmé une nouvelle connexion. Réessayez.",
  crowd: "Trop de personnes se connectent en ce moment. Réessayez dans quelques secondes.",
  signUpPassword: "Saisissez le mot de passe que vous avez choisi à l’inscription.",
  linkEnded: "Ce lien a été utilisé ou a expiré. Demandez-en un nouveau.",
  confirmationEnded:
    "Ce lien a été utilisé ou a expiré. Demandez-en un nouveau, ou connectez-vous si votre compte est prêt.",
  byInvitation: "Il faut une invitation pour créer un compte. Demandez à un administrateur de vous inviter.",
  takenProveFirst: "Un compte existe déjà avec cette adresse. Connectez-vous-y une fois pour lier cette connexion.",
  acceptFirst: "Encore une étape : acceptez les conditions pour créer votre compte.",
  providerRefused: "Le fournisseur d’identité ne vous a pas connecté. Réessayez ou connectez-vous autrement.",
  providerAnswer: "Nous n’avons pas pu accepter la réponse du fournisseur d’identité. Recommencez.",
  providerAway:
    "Le fournisseur d’identité est injoignable pour le moment. Réessayez bientôt ou connectez-vous autrement.",
  providerNoEmail:
    "Le fournisseur d’identité n’a pas communiqué votre adresse e-mail. Autorisez-le ou connectez-vous autrement.",
  providerUnconfirmed:
    "Le fournisseur d’identité n’a pas confirmé votre adresse e-mail. Confirmez-la chez lui, puis réessayez.",
  notBegunHere: "Cette connexion a commencé dans un autre navigateur. Recommencez.",
  otherPortal: "Ce compte appartient à un autre portail. Connectez-vous là-bas.",
  linkedElsewhere: "Cette connexion est déjà liée à un autre compte.",
  creditCeiling:
    "Saisissez au plus {{amount}} dollars US : c’est ce qui reste du plafond de crédit de votre organisation. Demandez à l’exploitant de la plateforme de le relever.",
  payerExempt:
    "Cette personne est exemptée de facturation et ne peut pas être le payeur. Adressez-vous à l’exploitant de la plateforme.",
  nobodyAsks: "Aucune demande de paiement pour votre organisation n’est en attente.",
  doNotPay: "Vous ne payez pas pour votre organisation.",
  noActivePerson: "Aucune personne active avec cet identifiant dans cette organisation.",
  creditUsed:
    "Votre portefeuille a utilisé le crédit de votre organisation. Rechargez-le d’abord, ou demandez votre transfert à l’exploitant de la plateforme.",
  inviteCannotOpen:
    "Cette invitation ne permet pas de créer un compte. Si vous en avez déjà un, connectez-vous pour l’accepter.",
  invitedByHigher:
    "Une personne ayant un rôle supérieur a déjà invité cette adresse. Demandez-lui de révoquer d’abord son invitation.",
  inviteEnded: "Cette invitation a pris fin. Invitez l’adresse à nouveau.",
};
