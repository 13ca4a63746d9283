export default {
  title: "Guía",
  subtitle: "El camino corto, con su clave, sus modelos y sus regiones. La guía completa es pública.",
  full: "La guía completa",
  reference: "Referencia de la API",
  key: {
    label: "Los ejemplos usan",
    none: "Aún no tiene ninguna clave. Los ejemplos muestran dónde va.",
    create: "Crear una clave",
    secret: "El secreto no se conserva. Póngalo en la variable GW_KEY, como abajo.",
    choose: "Usar esta clave",
  },
  contents: "En esta página",
  steps: {
    prepare: {
      title: "Mantener la clave fuera del código",
      text: "Ponga el secreto una vez en el entorno. Todos los ejemplos lo leen de allí.",
    },
    chat: {
      title: "Chat",
      text: "Cualquier cliente de estilo chat: cambie la URL base y la clave. Flujos, herramientas, imágenes y respuestas estructuradas pasan tal cual.",
    },
    messages: {
      title: "Messages",
      text: "Los clientes de estilo messages reciben la URL base sin /v1. Envían la clave como x-api-key, que también se acepta.",
    },
    native: {
      title: "Agentes de código",
      text: "Los agentes que hablan el protocolo nativo tienen su propia URL base.",
    },
    others: { title: "Embeddings, rerank, voz", text: "La misma clave, otros modelos." },
    read: {
      title: "Qué dice una respuesta",
      text: "Proveedor, región, conmutación y coste exacto están en las cabeceras de cada respuesta entera.",
    },
    errors: {
      title: "Cuando algo se rechaza",
      text: "Lea error.code; la frase es para personas. 429 y 503 siempre dicen en Retry-After cuántos segundos esperar.",
      recent: "Qué se ha rechazado a sus claves últimamente",
      none: "No se ha rechazado nada a sus claves en los últimos siete días.",
    },
  },
  models: {
    title: "Modelos a los que puede llamar esta clave",
    none: "Esta clave no puede llamar a ningún modelo del catálogo.",
    model: "Modelo",
    kind: "Para",
    context: "Contexto",
    regions: "Regiones",
    input: "Entrada / M",
    output: "Salida / M",
    unpriced: "sin precio",
    capabilities: {
      chat: "Chat",
      embedding: "Embeddings",
      rerank: "Rerank",
      transcription: "Transcripción",
      speech: "Voz",
    },
  },
  regions: {
    title: "Regiones",
    lock: "Esta clave está limitada a {{list}}. Nada sale de allí, ni siquiera un reintento.",
    free: "Esta clave puede usar cualquier región. Una petición puede acotarla con el campo region.",
    here: "Regiones de esta instalación: {{list}}.",
  },
};
