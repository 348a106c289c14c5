/** What a failed submit tells a form. */
export interface FormErrors {
  summary?: string
  /** By field name. */
  fields: Record<string, string>
}

export const noErrors: FormErrors = { fields: {} }

/** Errors found before sending. */
export function fieldErrors(fields: Record<string, string | false | undefined>): FormErrors {
  const wrong = Object.entries(fields).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return wrong.length
    ? { summary: wrong.map(([, message]) => message).join(' '), fields: Object.fromEntries(wrong) }
    : noErrors
}

/**
 * What stays of the errors on show when the values changed. What is mended goes, nothing new is said before the next
 * submit, and a refusal by the server was about other values.
 */
export function remainingErrors(shown: FormErrors, found: FormErrors): FormErrors {
  return fieldErrors(Object.fromEntries(Object.keys(shown.fields).map((name) => [name, found.fields[name]])))
}

/** The server's refusal: at its field when it names one (the message may repeat the name: `email: ...`). */
export function serverErrors(error: { message: string; field?: string }): FormErrors {
  const { message, field } = error
  if (!field) return { summary: message, fields: {} }
  const text = message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message
  return { summary: text, fields: { [field]: text } }
}
