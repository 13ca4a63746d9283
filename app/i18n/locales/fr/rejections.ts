export default {
  noLinkedAccount: "Ce compte lié n’existe pas.",
  onlyWayToSignIn: "Définissez d’abord un mot de passe : c’est votre seul moyen de vous connecter.",
  currentPassword: "Ce n’est pas votre mot de passe actuel.",
  paysForOthers_one:
    "Le portefeuille de cette personne paie pour {{count, number}} personne. Choisissez d’abord un autre payeur pour l’organisation.",
  paysForOthers_many:
    "Le portefeuille de cette personne paie pour {{count, number}} personnes. Choisissez d’abord un autre payeur pour l’organisation.",
  paysForOthers_other:
    "Le portefeuille de cette personne paie pour {{count, number}} personnes. Choisissez d’abord un autre payeur pour l’organisation.",
  rolesBelowYours: "Vous ne pouvez attribuer que des rôles inférieurs au vôtre.",
  departmentFirst: "Placez cette personne dans un service avant d’en faire l’administratrice.",
  typeEmailToConfirm: "Saisissez l’adresse e-mail de la personne pour confirmer.",
  inviteForAnother:
    "Cette invitation est destinée à une autre adresse e-mail. Déconnectez-vous, puis ouvrez-la de nouveau.",
  runsInstallation: "Vous administrez cette installation. Quelqu’un d’autre doit d’abord changer votre rôle.",
  noDepartmentOfPerson: "Ce service n’existe pas dans l’organisation de cette personne.",
  adminNeedsDepartment: "Un administrateur de service doit appartenir à un service. Changez d’abord le rôle.",
  noOrganisation: "Cette organisation n’existe pas.",
  lastOwner: "C’est le dernier propriétaire actif. Nommez d’abord un autre propriétaire.",
  noPerson: "Cette personne n’existe pas.",
  roleDoesNotAllow: "Votre rôle ne le permet pas.",
  onlyBelowYours: "Vous ne pouvez modifier que les personnes dont le rôle est inférieur au vôtre.",
  notYourself: "Vous ne pouvez pas le faire sur votre propre compte. Demandez à un autre administrateur.",
  accountDeleted: "Ce compte est supprimé. Il n’en reste que le pseudonyme.",
  noCall: "Il n’existe aucun appel avec cet identifiant.",
  notInReview: "Cet appel n’est pas en cours d’examen : sa réservation est à l’état {{state}}.",
  cannotSettle: "L’appel ne peut pas être réglé : {{problem}}.",
  noWallet: "Ce portefeuille n’existe pas.",
  keyRevoked: "Cette clé est révoquée et ne peut plus être modifiée. Créez une nouvelle clé.",
  lastAdminKey:
    "C’est la dernière clé d’administration utilisable de l’organisation. Créez-en une autre avant de révoquer celle-ci.",
  keySuspended: "Cette clé API est suspendue. Réactivez-la ou utilisez-en une autre.",
  noChatModel: "Aucun modèle de chat ne porte ce nom.",
  noKey: "Cette clé API n’existe pas.",
  adminKeyByAdmin: "Seul un administrateur de l’organisation peut créer une clé d’administration.",
  noProjectOfYours: "Ce projet n’existe pas, ou vous n’en êtes pas membre.",
  keysForYourself:
    "Vous ne pouvez créer des clés que pour vous-même. Pour en créer pour d’autres, passez à la vue d’administration.",
  ownerOutranksYou: "Une personne dont le rôle est supérieur au vôtre doit créer cette clé elle-même.",
  noDepartment: "Ce service n’existe pas.",
  suspendedByAdmin: "Un administrateur a suspendu cette clé. Seul un administrateur peut la réactiver.",
  viewersCreateNoKeys:
    "Votre rôle permet de voir les clés, pas d’en créer. Adressez-vous à un administrateur de votre organisation.",
  keyReadOnly:
    "Vous pouvez voir cette clé, mais pas la modifier. Adressez-vous à un administrateur de votre organisation.",
  limitsFixed:
    "Quelqu’un d’autre a créé cette clé et fixé ses limites. Demandez à un administrateur de votre organisation de les modifier.",
  domainByOperator: "Le domaine du portail est géré par l’opérateur de la plateforme.",
  cannotJoinProject: "Personne avec cette adresse ne peut être ajouté à ce projet.",
  projectNameTaken: "Un projet portant ce nom existe déjà.",
  noProject: "Ce projet n’existe pas.",
  inviteNotUsable: "Cette invitation n’est plus valable. Demandez-en une nouvelle.",
  mergeChoice: "Choisissez une organisation à conserver et au moins une autre à fusionner dans celle-ci.",
  ownerHasToStay: "Au moins un propriétaire actif doit rester.",
  billingUserTakesPart: "Le payeur doit être une personne active de l’une des organisations.",
  noAdminToGiveRole: "Il n’existe pas de tel propriétaire ou administrateur à qui attribuer un rôle.",
  mergeRolesBelowYours:
    "Vous ne pouvez modifier que des personnes dont le rôle est inférieur au vôtre, vers des rôles inférieurs au vôtre.",
  slugTaken: "Ce slug est déjà utilisé.",
  domainTaken: "Ce domaine est déjà utilisé.",
  organisationHasPeople_one:
    "Cette organisation compte encore {{count, number}} personne. Déplacez-la ou supprimez-la d’abord, ou fusionnez l’organisation.",
  organisationHasPeople_many:
    "Cette organisation compte encore {{count, number}} personnes. Déplacez-les ou supprimez-les d’abord, ou fusionnez l’organisation.",
  organisationHasPeople_other:
    "Cette organisation compte encore {{count, number}} personnes. Déplacez-les ou supprimez-les d’abord, ou fusionnez l’organisation.",
  organisationResells: "Cette organisation revend à d’autres. Fusionnez-la plutôt.",
  organisationHasMoney:
    "Le portefeuille de cette organisation n’est pas vide. Fusionnez-la plutôt, pour que son argent la suive.",
  departmentInUse:
    "Ce service contient encore des personnes ({{people, number}}), des clés ({{keys, number}}) et des invitations ({{invites, number}}). Déplacez-les d’abord.",
  departmentNameTaken: "Un service portant ce nom existe déjà.",
  inviteBelowYours: "Vous ne pouvez inviter qu’à des rôles inférieurs au vôtre.",
  noDepartmentHere: "Ce service n’existe pas dans cette organisation.",
  chooseDepartment: "Choisissez un service pour son administrateur.",
  alreadyMember: "Cette personne fait déjà partie de l’organisation.",
  noInvite: "Cette invitation n’existe pas.",
  inviteAccepted: "Cette invitation a déjà été acceptée.",
  adminOfNoDepartment: "Vous n’administrez encore aucun service.",
  confirmFirst: "Confirmez d’abord votre identité : reconnectez-vous ou envoyez votre mot de passe à /account/confirm.",
  accountSuspended: "Ce compte est suspendu. Adressez-vous à un administrateur de votre organisation.",
  accountClosed: "Ce compte a été fermé.",
  noPortalHere: "Aucun portail ne répond à ce nom d’hôte.",
  setupLinkEnded:
    "Ce lien d’installation a déjà servi ou a expiré. Redémarrez gw : il affiche un nouveau lien tant que le propriétaire n’a pas de mot de passe.",
  providerNotSetUp: "Ce mode de connexion n’est pas configuré.",
  jobRunning: "Cette tâche est déjà en cours ou va démarrer.",
  noJob: "Il n’existe aucune tâche de ce nom.",
  noProcessor:
    "Les paiements par carte ne sont pas configurés sur cette installation. La personne qui l’exploite doit définir STRIPE_SECRET_KEY et STRIPE_WEBHOOK_SECRET ; d’ici là, un administrateur peut créditer un portefeuille manuellement.",
  processorAway:
    "Le prestataire de paiement est injoignable pour le moment. Rien n’a été débité. Réessayez dans un instant.",
  fundsByAdmins:
    "Votre utilisation est payée par votre organisation ou par une autre personne. Demandez-lui d’ajouter des fonds.",
  noSuchPayer: "Cette organisation, cette personne ou ce projet n’existe plus.",
  noStatement: "Il n’y a pas de relevé pour ce mois.",
  noEntry: "Cette écriture n’existe pas.",
  noReview: "Cette requête n’est pas à vérifier.",
  reviewResolved: "Cette retenue est déjà résolue.",
  noCheckpoint: "Le coût de cette requête est inconnu. Saisissez un montant, ou libérez-la.",
  promotionCode: "Ce code n’est pas valide.",
  promotionHad: "Vous avez déjà utilisé ce code.",
  promotionExempt: "L’utilisation n’est pas facturée à ce portefeuille : il ne reçoit pas de crédit promotionnel.",
  promotionPast: "Choisissez une date dans le futur.",
  noPromotion: "Cette promotion n’existe pas.",
  exemptWallet: "Ce portefeuille n’est pas débité pour l’utilisation et n’a donc pas besoin de fonds.",
  autoTopupTax: "La recharge automatique n’est pas disponible tant que le prestataire de paiement calcule les taxes.",
  autoTopupPolicy: "L’opérateur de la plateforme n’a pas approuvé la recharge automatique.",
  autoTopupConsent: "Le texte que vous avez accepté a changé. Relisez-le et acceptez-le de nouveau.",
  autoTopupCard: "Ajoutez d’abord une carte : la recharge automatique débite votre carte par défaut.",
  autoTopupOff: "La recharge automatique n’a jamais été activée.",
  unsignedEvent: "Cette notification n’est pas signée par le prestataire de paiement.",
  directCreditRetired:
    "Il n’est pas possible d’ajouter des fonds directement. Lancez un paiement avec POST /api/billing/checkout.",
  cardFormRetired:
    "Les cartes se gèrent sur la page du prestataire de paiement. Utilisez POST /api/billing/payment-methods/setup et /api/billing/payment-methods.",
  partnerRetired: "Les comptes partenaires ne peuvent pas être associés. Rien n’a été modifié.",
};
