import { useState } from 'react'
import { type FormErrors, noErrors, remainingErrors, serverErrors } from './form-errors.ts'

interface Options<Values> {
  initial: Values
  /** Client-side checks. */
  check(values: Values): FormErrors
  /** Rejects with an error that can name a `field`. */
  send(values: Values): Promise<void>
}

/** The parts of a form that a dialog needs; `useForm` returns it. */
export interface FormState {
  busy: boolean
  /** Has unsaved changes. */
  dirty: boolean
  errors: { summary?: string | undefined }
  submit(): unknown
}

/** Returns the values, errors and handlers of a form. */
export function useForm<Values extends object>({ initial, check, send }: Options<Values>) {
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState(noErrors)
  const [busy, setBusy] = useState(false)

  const submit = async () => {
    if (busy) return
    const found = check(values)
    setErrors(found)
    if (found.summary) return
    setBusy(true)
    try {
      await send(values)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      setErrors(serverErrors(error))
    } finally {
      setBusy(false)
    }
  }
  const set = (change: Partial<Values>) => {
    const next = { ...values, ...change }
    setValues((now) => ({ ...now, ...change }))
    setErrors((shown) => remainingErrors(shown, check(next)))
  }
  return {
    values,
    errors,
    busy,
    dirty: JSON.stringify(values) !== JSON.stringify(initial),
    set,
    submit,
  }
}
