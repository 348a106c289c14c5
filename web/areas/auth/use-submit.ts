import { useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { type FormErrors, noErrors, serverErrors } from '../../ui/form-errors.ts'

/** Runs a form's check, then its call; keeps the errors of either. */
export function useSubmit(check: () => FormErrors, call: () => Promise<void>) {
  const [errors, setErrors] = useState(noErrors)
  const [busy, setBusy] = useState(false)

  const submit = async () => {
    if (busy) return
    const found = check()
    setErrors(found)
    if (found.summary) return
    setBusy(true)
    try {
      await call()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setErrors(serverErrors(error))
    } finally {
      setBusy(false)
    }
  }
  return { errors, busy, submit }
}
