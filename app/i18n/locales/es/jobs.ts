export default {
  title: "Tareas",
  subtitle: "Trabajos recurrentes de esta instalación",
  table: "Tareas, con su última y su próxima ejecución",
  col: {
    job: "Tarea",
    schedule: "Frecuencia",
    last: "Última ejecución",
    result: "Resultado",
    next: "Próxima ejecución",
    actions: "Acciones",
  },
  every: "Cada {{time}}",
  scope: { installation: "Una vez por instalación", process: "En cada proceso" },
  scopeHint: "Las tareas que se ejecutan en cada proceso se muestran según su estado en {{process}}.",
  never: "Todavía no",
  running: "En ejecución",
  runningFor: "desde hace {{time}}",
  due: "ahora",
  late: "Atrasada",
  handled_one: "{{count, number}} elemento",
  handled_many: "{{count, number}} de elementos",
  handled_other: "{{count, number}} elementos",
  failures_one: "{{count, number}} fallo seguido",
  failures_many: "{{count, number}} de fallos seguidos",
  failures_other: "{{count, number}} fallos seguidos",
  result: {
    succeeded: "Correcta",
    failed: "Fallida",
    timed_out: "Tiempo agotado",
    interrupted: "Interrumpida",
    abandoned: "Abandonada",
  },
  run: "Ejecutar ahora",
  runTitle: "¿Ejecutar «{{job}}» ahora?",
  runText: "La tarea empieza en un segundo. El registro de auditoría guarda quién la inició.",
  runTextProcess: "La tarea empieza en un segundo en cada proceso. El registro de auditoría guarda quién la inició.",
  requested: "La tarea empezará en un segundo.",
  runs: {
    title: "Ejecuciones recientes",
    hint: "Ejecuciones que hicieron algo, fallaron o se iniciaron a mano; se guardan 7 días",
    table: "Ejecuciones recientes, las más nuevas primero",
    col: { started: "Inicio", job: "Tarea", result: "Resultado", duration: "Duración", process: "Proceso" },
    byHand: "Iniciada a mano",
    filter: "Tarea",
    all: "Todas las tareas",
    empty: "Todavía no hay ejecuciones",
    emptyText: "Las ejecuciones que no encuentran nada que hacer no se muestran.",
    nothing: "No hay ejecuciones de esta tarea",
    nothingText: "No ha tenido nada que hacer en los últimos 7 días. Quite el filtro para ver otras tareas.",
  },
  job: {
    "release-expired-holds": {
      name: "Liberar reservas vencidas",
      about: "Libera el dinero reservado por solicitudes cuyo proceso ya no existe, o lo pasa a revisión.",
    },
    "settle-reviewed-holds": {
      name: "Liquidar reservas en revisión",
      about: "Cobra a los 15 minutos las solicitudes en revisión según su último consumo conocido.",
    },
    "sweep-merged-wallets": {
      name: "Vaciar monederos fusionados",
      about:
        "Pasa al sucesor el dinero que llega tarde a un monedero fusionado y salda lo adeudado con el dinero que llega.",
    },
    "settle-stored-answers": {
      name: "Liquidar respuestas guardadas",
      about: "Cobra solicitudes respondidas cuyo proceso terminó antes de hacerlo.",
    },
    "purge-stored-answers": {
      name: "Purgar respuestas guardadas",
      about: "Elimina a las 24 horas las respuestas guardadas para una Idempotency-Key.",
    },
    "purge-conversations": {
      name: "Purgar conversaciones",
      about: "Elimina las conversaciones guardadas cuando vence el plazo de conservación de su organización.",
    },
    "purge-stored-responses": {
      name: "Purgar respuestas guardadas",
      about: "Elimina las respuestas guardadas de la API Responses cuando vence su plazo de conservación.",
    },
    "purge-files": {
      name: "Purgar archivos",
      about: "Elimina los archivos de la API Files cuando vence su plazo de conservación y las subidas interrumpidas.",
    },
    "run-batches": {
      name: "Ejecutar lotes",
      about: "Comprueba los archivos de los lotes, ejecuta sus líneas y escribe los resultados.",
    },
    "purge-batches": {
      name: "Purgar lotes",
      about: "Elimina los lotes que terminaron hace 30 días.",
    },
    "add-up-usage": {
      name: "Sumar el uso por día",
      about: "Suma el uso de cada día una vez terminado, para que los periodos largos carguen rápido.",
    },
    "purge-rejections": {
      name: "Purgar solicitudes rechazadas",
      about: "Elimina las solicitudes rechazadas de las claves a los 7 días y sus totales por hora a los 400.",
    },
    "write-exports": { name: "Preparar exportaciones", about: "Prepara los archivos de informes solicitados." },
    "purge-exports": { name: "Eliminar exportaciones", about: "Elimina los archivos de informes después de 7 días." },
    "run-report-schedules": {
      name: "Ejecutar programaciones",
      about: "Inicia los informes programados cuya hora ha llegado.",
    },
    "deliver-reports": {
      name: "Entregar informes",
      about: "Envía los correos y webhooks de los informes programados.",
    },
    "purge-report-runs": {
      name: "Eliminar ejecuciones de informes",
      about: "Elimina las ejecuciones de informes programados después de 400 días.",
    },
    "purge-sessions": {
      name: "Purgar sesiones",
      about: "Elimina sesiones terminadas, registros sin confirmar y enlaces usados.",
    },
    "evaluate-budgets": {
      name: "Evaluar presupuestos",
      about: "Encuentra presupuestos y monederos que han alcanzado un umbral.",
    },
    "send-billing-notices": {
      name: "Enviar avisos de facturación",
      about:
        "Escribe a las personas cuando se alcanza un límite de la recarga automática, caduca una tarjeta guardada o pagan por otra persona.",
    },
    "top-up-wallets": {
      name: "Recargar monederos",
      about:
        "Carga las tarjetas guardadas de los monederos por debajo de su umbral y comprueba los cargos sin resultado conocido.",
    },
    "send-alerts": {
      name: "Enviar alertas",
      about: "Envía las alertas de presupuesto pendientes y reintenta las fallidas.",
    },
    "purge-alerts": { name: "Purgar alertas", about: "Elimina las alertas de presupuesto después de 400 días." },
    "purge-emails": {
      name: "Purgar correos",
      about: "Elimina los correos enviados y los que ya no sirven.",
    },
    "purge-token-events": {
      name: "Purgar eventos de credenciales",
      about: "Elimina a los 30 días los eventos de credenciales de proveedores.",
    },
    "purge-job-runs": {
      name: "Purgar ejecuciones",
      about: "Elimina a los 7 días las ejecuciones que se muestran abajo.",
    },
    "extend-holds": {
      name: "Prolongar reservas",
      about: "Mantiene reservado el dinero de las solicitudes que siguen en curso.",
    },
    "recover-settlements": {
      name: "Recuperar liquidaciones",
      about: "Cobra las solicitudes que terminaron mientras la base de datos no estaba disponible.",
    },
    "send-emails": { name: "Enviar correos", about: "Envía los correos pendientes y reintenta los fallidos." },
    "renew-supplier-tokens": {
      name: "Renovar tokens de proveedores",
      about: "Renueva los tokens de acceso de los proveedores antes de que caduquen.",
    },
    "log-audit-head": {
      name: "Anotar el final del registro de auditoría",
      about: "Escribe el último hash del registro de auditoría en el registro del proceso.",
    },
    "check-bus": {
      name: "Comprobar notificaciones",
      about: "Comprueba la conexión por la que los procesos se enteran de los cambios.",
    },
    "seal-addresses": {
      name: "Cifrar direcciones de webhooks",
      about: "Cifra las direcciones de webhooks que una versión anterior guardó en texto sin cifrar.",
    },
    "note-functions": {
      name: "Anotar la versión en uso",
      about:
        "Registra qué versión de las funciones de la base de datos usa este proceso, para que una actualización las conserve.",
    },
    "apply-payment-events": {
      name: "Aplicar eventos de pago",
      about: "Abona en los monederos lo que el procesador de pagos ha notificado y reintenta lo que falló.",
    },
    "look-up-payments": {
      name: "Consultar pagos",
      about: "Pregunta al procesador de pagos por los pagos de los que no ha informado y por los recibos.",
    },
    "report-payment-problems": {
      name: "Informar de problemas de pago",
      about:
        "Informa por correo a los administradores de la plataforma de nuevos eventos de pago fallidos, pagos abonados con otro importe y recargas automáticas en pausa.",
    },
    "check-payment-connection": {
      name: "Comprobar la conexión con el procesador de pagos",
      about: "Pregunta al procesador de pagos si acepta la clave de gw y entrega los eventos necesarios.",
    },
    "compare-payment-events": {
      name: "Comparar eventos de pago",
      about:
        "Compara los eventos recibidos con la lista del procesador de pagos de los últimos tres días y aplica los que faltan.",
    },
    "apply-promotions": {
      name: "Aplicar promociones",
      about:
        "Da las promociones a las personas nuevas, descuenta el gasto del crédito promocional y retira lo caducado.",
    },
    "audit-ledger": {
      name: "Auditar el libro mayor",
      about: "Comprueba que las cuentas cuadran y las compara con el procesador de pagos.",
    },
  },
};
