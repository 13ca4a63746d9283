/** Guardrails of an organisation and of keys. */
export default {
  title: "Barreras de seguridad",
  subtitle: {
    organisation: "Qué pueden contener las solicitudes y respuestas de {{name}}. Se aplica a todas las claves.",
    key: "Qué pueden contener las solicitudes y respuestas de {{name}}, además de las barreras de la organización.",
  },
  rules: {
    organisation: "Barreras de seguridad",
    key: "Barreras de esta clave",
    inherited: "De la organización",
  },
  empty: "Aún no hay barreras",
  emptyText: "Añada una para rechazar, ocultar o marcar palabras, patrones o datos personales.",
  col: {
    name: "Nombre",
    kind: "Tipo",
    what: "Busca",
    on: "Comprueba",
    action: "Acción",
    by: "Definida por",
    in: "Encontrado en",
    count: "Coincidencias",
  },
  by: { organisation: "Organización", key: "Clave" },
  in: { input: "Solicitud", output: "Respuesta" },
  kind: { words: "Palabras", pattern: "Patrón", personal: "Datos personales" },
  kindHint: {
    words:
      "Palabras enteras y frases, sin distinguir mayúsculas. Añada * al principio o al final para encontrar partes de palabras.",
    pattern:
      "Una expresión regular con sintaxis RE2, sin distinguir mayúsculas. Las coincidencias de hasta 160 caracteres siempre se encuentran enteras.",
    personal: "Marque los tipos de abajo.",
  },
  data: {
    email: "Direcciones de correo",
    phone: "Teléfonos con prefijo de país",
    card: "Números de tarjeta",
    iban: "IBAN",
  },
  on: { input: "Solicitudes", output: "Respuestas", both: "Solicitudes y respuestas" },
  action: { refuse: "Rechazar", redact: "Ocultar", flag: "Marcar" },
  actionHint: {
    refuse:
      "La solicitud o respuesta se rechaza. Una solicitud rechazada no cuesta nada; una respuesta rechazada se cobra.",
    redact: "Las coincidencias se sustituyen por [redacted].",
    flag: "No cambia nada. El registro de solicitudes muestra la coincidencia.",
  },
  add: { title: "Añadir una barrera", text: "Se aplica en menos de un segundo.", submit: "Añadir barrera" },
  field: {
    nameHint: "Se muestra a quien usa la clave cuando se rechaza una solicitud.",
    text: "Palabras o patrón",
    textHint: "Hasta {{words}} palabras o frases, una por línea, o un patrón de hasta {{pattern}} caracteres.",
  },
  remove: "Quitar",
  done: { added: "Barrera añadida.", removed: "Barrera quitada." },
  test: {
    title: "Probar un texto",
    text: "Vea qué coincide y qué pasaría. No se envía nada a un modelo ni se guarda.",
    sample: "Texto",
    side: "Comprobar como",
    submit: "Probar",
    refused: "Rechazado por {{name}}.",
    found: "Encontrado: {{names}}. Resultado: {{text}}",
    nothing: "Ninguna barrera coincide.",
  },
  problem: {
    personal: "Marque al menos un tipo de datos personales.",
    empty: "Introduzca palabras o un patrón.",
    words: "Introduzca hasta {{most}} palabras o frases, una por línea, de {{long}} caracteres como máximo.",
    pattern: "Introduzca un solo patrón de hasta {{most}} caracteres en una línea.",
  },
};
