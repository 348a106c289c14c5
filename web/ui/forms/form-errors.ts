/** The errors of a failed submit. */
export interface FormErrors {
  summary?: string
  /** Messages by field name. */
  fields: Record<string, string>
}

export const noErrors: FormErrors = { fields: {} }

/** Creates errors from client-side checks. */
export function fieldErrors(fields: Record<string, string | false | undefined>): FormErrors {
  const wrong = Object.entries(fields).flatMap(([name, message]) => (message ? [[name, asSentence(message)]] : []))
  return wrong.length
    ? { summary: wrong.map(([, message]) => message).join(' '), fields: Object.fromEntries(wrong) }
    : noErrors
}

/** Returns the shown errors that remain after values change: fixed and server errors are dropped, new ones not added. */
export function remainingErrors(shown: FormErrors, found: FormErrors): FormErrors {
  return fieldErrors(Object.fromEntries(Object.keys(shown.fields).map((name) => [name, found.fields[name]])))
}

/** Converts a server error, placed at its field when it names one. The message may repeat the name: `email: ...`. */
export function serverErrors(error: { message: string; field?: string }): FormErrors {
  const { message, field } = error
  if (!field) return { summary: asSentence(message), fields: {} }
  const text = asSentence(message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message)
  return { summary: text, fields: { [field]: text } }
}

/** Forms speak in sentences; messages of the API often have no full stop. */
export const asSentence = (message: string) => (/[\p{L}\p{N}”’")\]]$/u.test(message) ? `${message}.` : message)
