/** Quién paga y por qué. */
export default {
  reason: {
    project: "El proyecto tiene su propio monedero, que paga sus claves.",
    exempt: "Exento de facturación: el uso se cuenta y no se cobra a nadie.",
    own: "Configurado para pagar con su propio monedero.",
    billingUser: "El pagador de la organización paga por todos los miembros.",
    organisation: "La organización no tiene pagador, así que paga su propio monedero.",
  },
};
