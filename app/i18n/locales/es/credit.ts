/** Credit of organisations and people. */
export default {
  title: "Crédito",
  given: "{{given}} concedidos de {{ceiling}}",
  text: "El crédito total que los admins de la organización pueden conceder a personas y proyectos. También cuenta el crédito de la propia organización.",
  own: "El crédito permite gastar antes de pagar. El operador de la plataforma fija el tope.",
  over: "Se ha concedido más crédito del que permite el tope. Los límites actuales se mantienen, pero no se puede subir ninguno.",
  ceiling: "Tope de crédito",
  ceilingHint: "En dólares estadounidenses. Con 0, sus admins no pueden conceder crédito.",
  limit: "Límite de crédito de la organización",
  limitHint: "Hasta dónde puede bajar de cero el monedero de la organización, en dólares estadounidenses.",
  button: "Guardar crédito",
  most: "Hasta {{amount}} del crédito de su organización.",
  none: "Su organización no tiene más crédito que conceder. Solo puede bajar este límite.",
};
