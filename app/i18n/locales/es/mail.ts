export default {
  greeting: "Hola, {{name}}:",
  greetingPlain: "Hola:",
  otherwise: "Si el botón no funciona, abra este enlace:",
  ignore: "Si no ha sido usted, puede ignorar este correo.",
  ignoreSignUp: "Si no se ha registrado, puede ignorar este correo. Sin esta confirmación no se crea ninguna cuenta.",
  ignoreReset: "Si no lo ha pedido, puede ignorar este correo. Su contraseña no cambia.",
  ignoreInvite: "Si no conoce al remitente, puede ignorar este correo.",
  validMinutes_one: "El enlace funciona una sola vez, durante un minuto.",
  validMinutes_many: "El enlace funciona una sola vez, durante {{count, number}} de minutos.",
  validMinutes_other: "El enlace funciona una sola vez, durante {{count, number}} minutos.",
  validHours_one: "El enlace funciona una sola vez, durante una hora.",
  validHours_many: "El enlace funciona una sola vez, durante {{count, number}} de horas.",
  validHours_other: "El enlace funciona una sola vez, durante {{count, number}} horas.",
  validDays_one: "El enlace funciona una sola vez, durante un día.",
  validDays_many: "El enlace funciona una sola vez, durante {{count, number}} de días.",
  validDays_other: "El enlace funciona una sola vez, durante {{count, number}} días.",
  verify: {
    subject: "Confirme su dirección de correo para {{brand}}",
    text: "Se ha registrado en {{brand}} como {{email}}. Confirme su dirección de correo para activar su cuenta.",
    action: "Confirmar mi correo",
  },
  exists: {
    subject: "Ya tiene una cuenta en {{brand}}",
    text: "Alguien, probablemente usted, ha intentado registrarse en {{brand}} con esta dirección. Ya tiene una cuenta: inicie sesión.",
    forgotten: "¿Olvidó su contraseña? Puede restablecerla en la página de inicio de sesión.",
    action: "Iniciar sesión",
  },
  reset: {
    subject: "Restablezca su contraseña de {{brand}}",
    text: "Ha pedido restablecer su contraseña de {{brand}}. Use este enlace para elegir una nueva. Se cerrará la sesión en todos los navegadores.",
    action: "Elegir una contraseña nueva",
  },
  provider: {
    subject: "Cómo inicia sesión en {{brand}}",
    text: "Ha pedido restablecer su contraseña de {{brand}}, pero su cuenta no tiene. Inicia sesión con {{provider}}.",
    action: "Ir a iniciar sesión",
  },
  invite: {
    subject: "Únase a {{organisation}} en {{brand}}",
    text: "{{invitedBy}} le ha invitado a unirse a {{organisation}} en {{brand}}.",
    role: "Su rol: {{role}}.",
    action: "Ver la invitación",
  },
  newSignIn: {
    subject: "Nuevo inicio de sesión en su cuenta de {{brand}}",
    text: "Se ha iniciado sesión en su cuenta de {{brand}} desde un navegador nuevo.",
    facts: "{{at}}, desde {{address}}, {{browser}}",
    advice:
      "Si ha sido usted, puede ignorar este correo. Si no, elija ahora una contraseña nueva: así se cierra la sesión en todos los navegadores.",
    action: "Elegir una contraseña nueva",
  },
  passwordChanged: {
    subject: "Se ha cambiado su contraseña de {{brand}}",
    text: "Se ha cambiado la contraseña de su cuenta de {{brand}}. Se ha cerrado la sesión en los demás navegadores.",
    advice: "Si no ha sido usted, elija ahora una contraseña nueva.",
    action: "Elegir una contraseña nueva",
  },
  webhookDisabled: {
    subject: "Se ha desactivado su webhook de alertas",
    text: "Ha fallado 20 veces seguidas, así que ya no se le envían alertas. Las alertas por correo continúan. Guarde el webhook de nuevo para reactivarlo.",
  },
  autoTopupDeclined: {
    subject: "Falló la recarga automática: {{payer}}",
    text: "No pudimos cargar {{amount, usd}} en su tarjeta {{card}} para recargar el monedero de «{{payer}}». Motivo: {{reason}}",
    next: "El próximo intento será como muy pronto el {{at}}. Para que las solicitudes sigan, añada fondos o use otra tarjeta.",
    cardRefused:
      "Su tarjeta no se volverá a cargar de forma automática. Para que la recarga automática siga, elija otra tarjeta predeterminada.",
    action: "Abrir la facturación",
    why: "Recibe este correo porque la recarga automática usa su tarjeta.",
  },
  autoTopupPaused: {
    subject: "Recarga automática en pausa: {{payer}}",
    refund:
      "Se reembolsó un pago de {{amount, usd}}, por lo que la recarga automática del monedero de «{{payer}}» está en pausa.",
    dispute:
      "Se disputó ante el banco un pago de {{amount, usd}}, por lo que la recarga automática del monedero de «{{payer}}» está en pausa.",
    inquiry:
      "Un banco pidió información sobre un pago de {{amount, usd}}, por lo que la recarga automática del monedero de «{{payer}}» está en pausa.",
    fraud_warning:
      "Un banco señaló un pago de {{amount, usd}} como posible fraude, por lo que la recarga automática del monedero de «{{payer}}» está en pausa.",
    next: "No se cargará nada en su tarjeta de forma automática hasta que vuelva a dar su consentimiento. Las solicitudes siguen mientras haya fondos.",
    action: "Revisar la recarga automática",
  },
  paymentProblems: {
    subject: "Hay pagos que requieren su atención",
    connection_one: "La conexión con el procesador de pagos tiene {{count, number}} problema.",
    connection_many: "La conexión con el procesador de pagos tiene {{count, number}} problemas.",
    connection_other: "La conexión con el procesador de pagos tiene {{count, number}} problemas.",
    events_one: "No se pudo aplicar {{count, number}} evento de pago.",
    events_many: "No se pudieron aplicar {{count, number}} eventos de pago.",
    events_other: "No se pudieron aplicar {{count, number}} eventos de pago.",
    mismatches_one: "{{count, number}} pago se abonó con un importe distinto del solicitado.",
    mismatches_many: "{{count, number}} pagos se abonaron con un importe distinto del solicitado.",
    mismatches_other: "{{count, number}} pagos se abonaron con un importe distinto del solicitado.",
    pauses_one: "{{count, number}} recarga automática se puso en pausa porque se reembolsó o disputó un pago.",
    pauses_many: "{{count, number}} recargas automáticas se pusieron en pausa porque se reembolsó o disputó un pago.",
    pauses_other: "{{count, number}} recargas automáticas se pusieron en pausa porque se reembolsó o disputó un pago.",
    action: "Abrir la administración de facturación",
    why: "Recibe este correo porque administra esta plataforma.",
  },
  autoTopupConfirm: {
    subject: "Confirme un pago: {{payer}}",
    text: "Su banco le pide que confirme un pago de {{amount, usd}} que recarga el monedero de «{{payer}}». No se ha cargado nada.",
    until: "La página estará abierta 24 horas. Si no lo confirma, no se carga nada y lo intentaremos más tarde.",
    action: "Confirmar el pago",
  },
  reportReady: {
    subject: "Informe listo: {{report}}",
    text_one: "Su informe programado «{{report}}» está listo. Tiene una fila y el archivo se conserva 7 días.",
    text_many:
      "Su informe programado «{{report}}» está listo. Tiene {{count, number}} de filas y el archivo se conserva 7 días.",
    text_other:
      "Su informe programado «{{report}}» está listo. Tiene {{count, number}} filas y el archivo se conserva 7 días.",
    action: "Descargar el informe",
    why: "Recibe este correo porque programó este informe. Puede desactivar la programación en Informes.",
  },
  reportFailed: {
    subject: "Informe no enviado: {{report}}",
    text: "No se ha podido preparar su informe programado «{{report}}». Si su rol, departamento u organización ha cambiado, la programación está desactivada; puede volver a crearla.",
    action: "Ver las programaciones",
  },
  budgetAlert: {
    threshold: {
      subject: "Alerta de presupuesto: {{name}} ha gastado el {{share, number}} %",
      text: "{{scope}} «{{name}}»: se ha gastado al menos el {{share, number}} % del presupuesto.",
    },
    low_balance: {
      subject: "Saldo bajo: {{name}}",
      text: "El monedero de «{{name}}» tiene {{threshold, usd}} o menos. Añada fondos para que las solicitudes continúen.",
    },
    refusing: {
      subject: "Presupuesto agotado: {{name}}",
      text: "{{scope}} «{{name}}»: el presupuesto está agotado y las solicitudes se rechazan. Aumente el límite o espere a que se restablezca.",
    },
    accepting: {
      subject: "Presupuesto disponible de nuevo: {{name}}",
      text: "{{scope}} «{{name}}»: vuelve a haber presupuesto. Las solicitudes se aceptan.",
    },
    wallet_refusing: {
      subject: "Sin fondos: {{name}}",
      text: "El monedero de «{{name}}» ya no cubre las solicitudes, por lo que se rechazan. Añada fondos para que las solicitudes continúen.",
    },
    wallet_accepting: {
      subject: "Fondos de nuevo: {{name}}",
      text: "El monedero de «{{name}}» vuelve a tener fondos. Las solicitudes se aceptan.",
    },
    amounts: "Gastado {{spent, usd}}, reservado {{held, usd}}, disponible {{available, usd}} de {{limit, usd}}.",
    balance: "Disponible: {{available, usd}}; reservado para solicitudes en curso: {{held, usd}}.",
    runsOut: "A este ritmo se agotará el {{at}}.",
    resets: "Se restablece el {{at}}.",
    action: "Ver alertas",
    why: "Recibe este correo porque las alertas de presupuesto están activadas.",
  },
  topupLimit: {
    subject: "Límite de la recarga automática alcanzado: {{payer}}",
    day: "El monedero de «{{payer}}» está por debajo de su umbral, pero recargarlo con {{amount, usd}} superaría su límite diario. No se ha cobrado a su tarjeta. La recarga automática continúa a medianoche UTC.",
    month:
      "El monedero de «{{payer}}» está por debajo de su umbral, pero recargarlo con {{amount, usd}} superaría su límite mensual. No se ha cobrado a su tarjeta. La recarga automática continúa al empezar el próximo mes (UTC).",
    advice: "Para que no se rechacen solicitudes, añada fondos o aumente el límite.",
  },
  cardExpires: {
    subject: "Su tarjeta {{card}} está a punto de caducar",
    text: "Su tarjeta guardada {{card}} vale hasta finales de {{month}}.",
    advice: "Guarde otra tarjeta para que los pagos y la recarga automática sigan funcionando.",
  },
  paidFor: {
    subject: "Su monedero ha pagado por {{person}} este mes",
    text: "Este mes se han cargado a su monedero solicitudes de {{person}}, porque usted aceptó pagar. El extracto del mes muestra cuánto.",
  },
  payerRequest: {
    subject: "{{asker}} le pide que pague lo que usa",
    text: "{{asker}} le pide que pague lo que usa.",
    meaning:
      "Si acepta, se carga a su propio monedero, incluido su crédito. Puede rechazarlo y puede dejarlo en cualquier momento.",
  },
  payerOffer: {
    subject: "{{asker}} ofrece pagar lo que usted usa",
    text: "{{asker}} ofrece pagar lo que usted usa.",
    meaning:
      "Si acepta, sus solicitudes se cargan al monedero de {{asker}}, que verá lo que cuestan. Cualquiera de los dos puede terminarlo en cualquier momento.",
  },
  payerAccepted: {
    subject: "Ahora paga por {{person}}",
    text: "Desde ahora, lo que usa {{person}} se carga a su monedero, incluido su crédito.",
    stop: "Puede dejarlo en cualquier momento en la página de facturación. Las solicitudes ya en curso aún se le cargan.",
    action: "Abrir facturación",
  },
  payerEnded: {
    subject: "{{person}} ya no paga por usted",
    subjectPayer: "Usted ya no paga por {{person}}",
    why: "Su acuerdo con {{person}} ha terminado por sí solo: uno de los dos ha dejado la organización, o se ha cerrado una cuenta.",
    meaning:
      "Lo que usa se carga de nuevo a su propio monedero, o al que paga por su organización. Compruebe que tiene fondos.",
    meaningPayer: "Las solicitudes ya en curso aún se le cargan.",
  },
  payerNomination: {
    subject: "¿Pagará por {{organisation}}?",
    text: "{{asker}} le pide que pague por todos en {{organisation}}.",
    meaning:
      "Si acepta, todo lo que usen se carga a su propio monedero, incluido su crédito. Puede rechazarlo y puede dejarlo en cualquier momento.",
    action: "Ver la solicitud",
    until: "Hasta que acepte no cambia nada.",
  },
  signInLink: {
    subject: "Termine de iniciar sesión en {{brand}}",
    text: "Alguien introdujo la contraseña correcta de su cuenta de {{brand}} tras demasiados intentos. Si fue usted, termine de iniciar sesión con este enlace. Solo funciona en el navegador en el que intentó iniciar sesión.",
    action: "Terminar de iniciar sesión",
    advice: "Si no fue usted, alguien conoce su contraseña. Elija una nueva ahora mismo: {{url}}",
  },
  passwordSet: {
    subject: "Su cuenta de {{brand}} ya tiene contraseña",
    text: "Su cuenta de {{brand}} ya tiene contraseña. Puede iniciar sesión con ella o con su proveedor de identidad. Se ha cerrado la sesión en los demás navegadores.",
  },
  linked: {
    subject: "Acceso con {{provider}} vinculado a su cuenta de {{brand}}",
    text: "Ya puede iniciar sesión en {{brand}} con {{provider}} como {{identity}}.",
    advice: "Si no fue usted, desvincúlelo en los ajustes y elija ahora una contraseña nueva.",
    action: "Abrir los ajustes",
  },
  role: {
    subject: "Su rol en {{brand}} ha cambiado",
    text: "{{by}} cambió su rol en {{brand}} de {{before}} a {{after}}. Se ha cerrado su sesión; vuelva a iniciarla para continuar.",
    advice: "Si no lo esperaba, pregunte a un administrador de su organización.",
    action: "Iniciar sesión",
  },
  granted: {
    subject: "Nuevo rol asignado en {{brand}}: {{role}}",
    text: "{{by}} dio a {{person}} el rol {{role}}.",
    invited: "{{by}} invitó a {{person}} con el rol {{role}}.",
    advice: "Si no lo esperaba, pregunte quién lo hizo y quite el rol o revoque la invitación.",
    action: "Abrir personas",
  },
  adminKey: {
    subject: "Nueva clave de administración en {{organisation}}",
    text: "{{by}} creó la clave de administración «{{key}}» en {{organisation}}. Permite crear y modificar todas las claves de la organización.",
    rotated:
      "{{by}} renovó el secreto de la clave de administración «{{key}}» en {{organisation}}. Permite crear y modificar todas las claves de la organización.",
    advice: "Si no fue usted ni nadie de su equipo, revoque la clave y pida a {{by}} que elija una contraseña nueva.",
    action: "Ver la clave",
  },
};
