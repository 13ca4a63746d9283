export default {
  title: "État du service",
  description:
    "Comment les modèles ont répondu ces 90 derniers jours, par région, d’après les requêtes passées par cette passerelle.",
  empty:
    "Pas encore assez de requêtes. Un modèle apparaît ici dès qu’il a répondu à au moins 50 requêtes en une journée.",
  how: "La disponibilité est la part des requêtes auxquelles un fournisseur a répondu. Les jours de moins de 50 requêtes ne sont pas affichés. Mis à jour toutes les cinq minutes.",
  uptime: "{{share}} de disponibilité",
  firstByte: "premier octet {{time}}",
  latency: "{{time}} au total",
  bars: "{{region}} : {{share}} de disponibilité sur 90 jours",
  daysAgo: "il y a 90 jours",
  today: "Aujourd’hui",
};
