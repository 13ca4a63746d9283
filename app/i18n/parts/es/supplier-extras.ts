/** What requests to a supplier carry besides, for platform admins. */
export default {
  column: "Encabezados",
  some: "Definidos",
  none: "Ninguno",
  title: "Encabezados y parámetros de {{name}}",
  text: "Cada solicitud a este proveedor los lleva, envíe lo que envíe el cliente. Los valores se guardan cifrados y no se vuelven a mostrar; para cambiar uno, defínalo de nuevo.",
  ofFile: "El archivo del catálogo define lo que lleva cada solicitud a este proveedor. Cámbielo allí.",
  lost: "GW_SECRET ya no los descifra, así que no se llama al proveedor. Defínalos de nuevo.",
  place: "Se envía como",
  value: "Valor",
  hidden: "Guardado cifrado",
  theKey: "La clave de API",
  nothing: "No se envía nada más",
  nothingText:
    "Algunos proveedores piden un encabezado o un parámetro además de la clave, como un equipo o una versión de la API.",
  add: "Definir un encabezado o parámetro",
  nameHint: "Por ejemplo x-team. No se admiten Host, Content-Type ni otros encabezados que define gw.",
  valueHint: "No hace falta para el encabezado de la clave de API.",
  remove: "Quitar",
  saved: "Guardado. Las solicitudes lo llevan desde ahora.",
  removed: "Quitado",
  in: { header: "Encabezado", query: "Parámetro de consulta", key_header: "Encabezado de la clave de API" },
};
