export default {
  title: "Estado del servicio",
  description:
    "Cómo han respondido los modelos en los últimos 90 días, por región, según las solicitudes que pasaron por esta pasarela.",
  empty:
    "Aún no hay suficientes solicitudes. Un modelo aparece aquí cuando ha respondido al menos 50 solicitudes en un día.",
  how: "La disponibilidad es la parte de las solicitudes que un proveedor respondió. No se muestran los días con menos de 50 solicitudes. Se actualiza cada cinco minutos.",
  uptime: "{{share}} de disponibilidad",
  firstByte: "primer byte {{time}}",
  latency: "{{time}} en total",
  bars: "{{region}}: {{share}} de disponibilidad en 90 días",
  daysAgo: "hace 90 días",
  today: "Hoy",
};
