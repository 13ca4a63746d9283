/** Credit of organisations and people. */
export default {
  title: "Crédito",
  given: "{{given}} concedidos de {{ceiling}}",
  text: "El tope es el crédito total que los admins de esta organización pueden conceder a personas y proyectos. También cuenta el crédito de la propia organización.",
  own: "El crédito permite gastar lo que aún no se ha pagado. El tope lo fija quien gestiona esta instalación.",
  over: "Se ha concedido más de lo que permite el tope. No se quita nada, pero no se puede subir ningún límite.",
  ceiling: "Tope de crédito",
  ceilingHint: "Dólares estadounidenses. 0: sus admins no pueden conceder crédito.",
  limit: "Límite de crédito de la organización",
  limitHint: "Hasta dónde puede bajar de cero el monedero de la organización, en dólares estadounidenses.",
  button: "Guardar crédito",
  most: "Hasta {{amount}} del crédito de su organización.",
  none: "Su organización no tiene más crédito que conceder. Solo puede bajar este límite.",
  ownMost: "Monedero propio: hasta {{amount}} del crédito de su organización.",
  ownNone: "Monedero propio: su organización no tiene más crédito que conceder.",
};
