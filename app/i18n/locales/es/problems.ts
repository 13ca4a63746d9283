export default {
  enterEmail: "Escriba una dirección de correo.",
  emailTooLong: "Esta dirección de correo es demasiado larga.",
  emailMalformed: "Esto no parece una dirección de correo. Compruebe que no haya erratas.",
  enterName: "Escriba su nombre.",
  enterAName: "Escriba un nombre.",
  at60: "Como máximo 60 caracteres.",
  at80: "Como máximo 80 caracteres.",
  at120: "Como máximo 120 caracteres.",
  at500: "Como máximo 500 caracteres.",
  nameUnshowable: "Este nombre contiene caracteres que no se pueden mostrar.",
  textUnshowable: "Este texto contiene caracteres que no se pueden mostrar.",
  passwordShort: "Como mínimo 10 caracteres.",
  passwordLong: "Esta contraseña es demasiado larga.",
  passwordMonotonous: "Use más caracteres distintos, por ejemplo varias palabras.",
  passwordCommon: "Demasiada gente usa esta contraseña. Elija varias palabras sin relación entre sí.",
  notYourPassword: "Esa no es su contraseña.",
  passwordHasEmail: "La contraseña no debe contener la dirección de correo.",
  enterPassword: "Escriba su contraseña.",
  fillIn: "Rellene este campo.",
  acceptTerms: "Acepte las condiciones para continuar.",
  emailNotVerified:
    "Su dirección de correo aún no está confirmada. Abra el enlace del mensaje que le enviamos o pida que se envíe de nuevo.",
  invalidCredentials:
    "La dirección de correo o la contraseña no son correctas. Compruebe ambas o restablezca la contraseña.",
  ssoOnly:
    "Su organización inicia sesión con su propio proveedor de identidad. Use ese botón en lugar de una contraseña.",
  noReseller: "Ningún distribuidor corresponde a esta dirección. Compruebe la dirección del portal.",
  weakPassword:
    "Esta contraseña es demasiado fácil de adivinar. Use al menos diez caracteres, por ejemplo varias palabras.",
  emailTaken: "Ya existe una cuenta con esta dirección de correo. Inicie sesión o use otra dirección.",
  invalidToken: "Este enlace o este token ya no es válido. Pida uno nuevo.",
  authContextDenied:
    "Este inicio de sesión no se puede usar aquí. Vuelva a entrar desde la página o la aplicación en la que trabaja.",
  conflict: "Otra persona ha cambiado esto entretanto. Vuelva a cargarlo y haga su cambio después.",
  forbidden: "No tiene permiso para hacer esto. Pida acceso a un administrador de su organización.",
  notFound: "No hay nada en esta dirección. Compruebe la ruta y el identificador.",
  accountStatus: "Esta cuenta está suspendida o archivada. Pida a su administrador que la reactive.",
  internalError:
    "Algo ha fallado por nuestra parte. Inténtelo de nuevo; si vuelve a ocurrir, dé al soporte el identificador de la solicitud.",
  serviceUnavailable:
    "El servicio no está disponible en este momento. Espere el tiempo indicado y vuelva a intentarlo.",
  tooManyAttempts: "Demasiados intentos. Espere un poco antes de volver a intentarlo.",
  tooManyAttemptsMailed:
    "Demasiados intentos. Si la contraseña era correcta, le hemos enviado por correo un enlace para terminar de iniciar sesión.",
  signInLinkEnded: "Este enlace se ha usado, ha caducado o pertenece a otro navegador. Inicie sesión de nuevo.",
  providerProvesNothing:
    "El proveedor de identidad no ha confirmado que acabe de iniciar sesión de nuevo, así que esto no demuestra nada. Inténtelo otra vez.",
  crowd: "Demasiadas personas están iniciando sesión en este momento. Inténtelo de nuevo en unos segundos.",
  signUpPassword: "Escriba la contraseña que eligió al registrarse.",
  linkEnded: "Este enlace se ha usado o ha caducado. Pida uno nuevo.",
  confirmationEnded: "Este enlace se ha usado o ha caducado. Pida uno nuevo o inicie sesión si su cuenta está lista.",
  byInvitation: "Aquí las cuentas se abren por invitación. Pida a un administrador que le invite.",
  takenProveFirst:
    "Ya existe una cuenta con esta dirección. Inicie sesión en ella una vez y este inicio de sesión quedará vinculado.",
  acceptFirst: "Un paso más: acepte las condiciones y se abrirá su cuenta.",
  providerRefused: "El proveedor de identidad no ha iniciado su sesión. Inténtelo de nuevo o entre de otra manera.",
  providerAnswer: "No se ha podido aceptar la respuesta del proveedor de identidad. Empiece de nuevo.",
  providerAway:
    "En este momento no se puede acceder al proveedor de identidad. Inténtelo de nuevo en breve o entre de otra manera.",
  providerNoEmail:
    "El proveedor de identidad no ha comunicado su dirección de correo. Permítalo allí o entre de otra manera.",
  providerUnconfirmed:
    "El proveedor de identidad no ha confirmado su dirección de correo. Confírmela allí y vuelva a intentarlo.",
  notBegunHere: "Este inicio de sesión no se empezó aquí. Empiece de nuevo.",
  otherPortal: "Esta cuenta no pertenece a este portal. Inicie sesión donde se abrió.",
  linkedElsewhere: "Este inicio de sesión ya pertenece a otra cuenta.",
  creditCeiling:
    "Como máximo {{amount}} dólares aquí: es lo que deja el tope de crédito de su organización. Pida a quien gestiona esta instalación que lo suba.",
  payerExempt: "Esta persona está exenta de pago, así que nadie pagaría. Diríjase a quien gestiona esta instalación.",
  nobodyAsks: "Nadie le pide que pague por su organización.",
  doNotPay: "Usted no paga por su organización.",
  noActivePerson: "No hay tal persona activa en esta organización.",
  creditUsed:
    "Su monedero ha usado crédito de su organización. Recárguelo primero o pida el traslado a quien gestiona esta instalación.",
  inviteCannotOpen: "Esta invitación no puede abrir una cuenta nueva. Si ya tiene una cuenta, entre para aceptarla.",
  invitedByHigher: "Alguien de rango superior ya ha invitado a esta dirección. Pídale que retire antes esa invitación.",
  inviteEnded: "Esta invitación ha terminado. Invite de nuevo a la dirección.",
};
