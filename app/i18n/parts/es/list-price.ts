/** List prices beside own prices, for platform admins. */
export default {
  text: "Lo que usted cobra junto a lo que publica el proveedor. gw tiene un precio por cada forma de servir un modelo, y es el que pagan los clientes; no sabe lo que un proveedor le factura por contrato. Los precios de lista son los de genai-prices {{version}} del {{date}}, el tráfico el de los últimos 30 días.",
  input: "Entrada / 1M",
  output: "Salida / 1M",
  list: "Lista",
  unlisted: "Sin precio de lista",
  requests_one: "{{shown}} solicitud",
  requests_many: "{{shown}} solicitudes",
  requests_other: "{{shown}} solicitudes",
  charged: "Cobrado, 30 días",
  atList: "Lo mismo a precios de lista",
  difference: "Diferencia",
  leastText: "Las entradas largas o las herramientas del proveedor cuestan más en la lista.",
};
