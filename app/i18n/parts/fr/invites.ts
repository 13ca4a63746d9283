export default {
  title: "Inviter des personnes",
  subtitle: "Elles reçoivent un lien qui marche une fois, pendant sept jours.",
  form: "Nouvelle invitation",
  email: "Adresse e-mail",
  role: "Rôle",
  roleHint: "Au plus le vôtre.",
  department: "Service",
  organisation: "Organisation",
  send: "Envoyer l’invitation",
  table: "Invitations",
  pending: "Ouvertes",
  everything: "Toutes",
  empty: "Aucune invitation ouverte",
  emptyText:
    "Invitez quelqu’un ci-dessus. Une adresse invitée de nouveau reçoit un nouveau lien ; le précédent prend fin.",
  col: {
    email: "Adresse",
    role: "Rôle",
    place: "Où",
    by: "Invité par",
    status: "État",
    created: "Envoyée",
    expires: "Valable jusqu’au",
  },
  status: { pending: "Ouverte", accepted: "Acceptée", revoked: "Retirée", expired: "Expirée" },
  revoke: "Retirer",
  linkTitle: "Le lien, montré cette seule fois",
  linkText: "Transmettez vous-même ce lien à {{email}}. Il marche une fois, pendant sept jours.",
  linkUnproven:
    "Un lien remis en main propre ne prouve pas l’adresse : le compte qu’il ouvre est marqué comme non confirmé.",
  newLink: "Nouveau lien",
  notMailed: "Pas envoyée par e-mail",
  noMail:
    "Aucun serveur de messagerie n’est configuré. Vos invitations attendent qu’un responsable de cette installation transmette le lien. Une fois la messagerie configurée, renvoyez-les.",
  noMailRuns:
    "Aucun serveur de messagerie n’est configuré (SMTP_URL). Vous recevez chaque lien à transmettre vous-même ; les invitations des autres admins attendent ici que vous transmettiez un nouveau lien.",
};
