export default {
  title: "Guía",
  subtitle: "Inicio rápido con su clave, sus modelos y sus regiones. La guía completa es pública.",
  full: "Guía completa",
  reference: "Referencia de la API",
  key: {
    label: "Usar en los ejemplos",
    none: "Aún no tiene ninguna clave. Los ejemplos muestran dónde va.",
    create: "Crear una clave",
    secret: "gw no guarda el secreto. Póngalo en la variable GW_KEY, como se muestra abajo.",
    choose: "Usar esta clave",
  },
  contents: "En esta página",
  steps: {
    prepare: {
      title: "Mantenga su clave fuera del código",
      text: "Defina el secreto una vez como variable de entorno. Todos los ejemplos lo leen de ahí.",
    },
    chat: {
      title: "Chat",
      text: "Funciona con cualquier cliente de estilo chat: cambie la URL base y la clave. Streaming, herramientas, imágenes y salidas estructuradas pasan tal cual.",
    },
    messages: {
      title: "Messages",
      text: "Para los clientes de estilo messages, use la URL base sin /v1. Envían la clave como x-api-key, que gw acepta.",
    },
    native: {
      title: "Agentes de código",
      text: "Los agentes que usan el protocolo nativo tienen su propia URL base.",
    },
    others: { title: "Embeddings, rerank, voz", text: "La misma clave, otros modelos." },
    read: {
      title: "Cabeceras de respuesta",
      text: "Cada respuesta sin streaming indica en sus cabeceras el proveedor, la región, la conmutación y el coste exacto.",
    },
    errors: {
      title: "Gestionar los errores",
      text: "Compruebe error.code; el mensaje es para personas. 429 y 503 siempre incluyen Retry-After en segundos.",
      recent: "Rechazos recientes de sus claves",
      none: "Ninguna solicitud rechazada en los últimos 7 días.",
    },
  },
  models: {
    title: "Modelos disponibles para esta clave",
    none: "Esta clave no puede usar ningún modelo del catálogo.",
    model: "Modelo",
    kind: "Tipo",
    context: "Contexto",
    regions: "Regiones",
    input: "Entrada / M",
    output: "Salida / M",
    unpriced: "sin precio",
    capabilities: {
      chat: "Chat",
      embedding: "Embeddings",
      rerank: "Rerank",
      moderation: "Moderación",
      image: "Imágenes",
      transcription: "Transcripción",
      speech: "Voz",
    },
  },
  regions: {
    title: "Regiones",
    lock: "Esta clave está limitada a {{list}}. Las solicitudes nunca salen de estas regiones, ni siquiera al reintentar.",
    free: "Esta clave puede usar cualquier región. Una solicitud puede acotarla con el campo region.",
    here: "Regiones de esta instalación: {{list}}.",
  },
};
