/** The payer, and the reason. */
export default {
  reason: {
    project: "El proyecto tiene su propio monedero, que paga sus claves.",
    exempt: "Exento de facturación: el uso se cuenta y no se cobra a nadie.",
    sandbox: "Sin cargo: el sandbox es gratuito.",
    own: "Configurado para pagar con su propio monedero.",
    delegated: "Otra persona ha aceptado pagar.",
    billingUser: "El pagador de la organización paga por todos los miembros.",
    organisation: "La organización no tiene pagador, así que paga su propio monedero.",
  },
  delegated: {
    title: "Pagar por otra persona",
    about:
      "Otra persona puede pagar lo que usted usa, o usted lo que usa ella, en cuanto ambos estén de acuerdo. Cualquiera de los dos puede terminarlo en cualquier momento; las solicitudes ya en curso se quedan con el monedero con el que empezaron.",
    email: "Correo electrónico de la otra persona",
    hint: "Para pagar por otros, necesita un monedero propio.",
    request: "Pedirle que pague por mí",
    offer: "Ofrecer pagar por ella",
    accept: "Aceptar",
    acceptAndPay: "Aceptar y pagar",
    decline: "Rechazar",
    stop: "Dejar de hacerlo",
    cancel: "Cancelar la solicitud",
    pays: {
      inForce: "Usted paga por {{name}}: lo que usa se carga a su monedero, incluido su crédito.",
      asked: "Ha ofrecido pagar por {{name}}. Aún no hay respuesta.",
      question:
        "{{name}} le pide que pague lo que usa. Si acepta, se carga a su monedero, incluido su crédito, y usted ve lo que cuestan sus solicitudes.",
    },
    paid: {
      inForce: "{{name}} paga lo que usted usa y ve lo que cuestan sus solicitudes.",
      asked: "Ha pedido a {{name}} que pague por usted. Aún no hay respuesta.",
      question: "{{name}} ofrece pagar lo que usted usa. Si acepta, {{name}} verá lo que cuestan sus solicitudes.",
    },
    done: {
      asked: "Enviado. Nada cambia hasta que la otra persona acepte.",
      accepted: "Aceptado. Se aplica desde la próxima solicitud.",
      ended: "Terminado.",
    },
  },
};
