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

/** The server's refusal: at its field when it names one (the message may repeat the name: `email: ...`). */
export function serverErrors(error: { message: string; field?: string }): FormErrors {
  const { message, field } = error
  if (!field) return { summary: message, fields: {} }
  const text = message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message
  return { summary: text, fields: { [field]: text } }
}
