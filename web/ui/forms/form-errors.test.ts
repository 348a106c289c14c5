import { describe, expect, it } from 'vitest'
import { fieldErrors, noErrors, remainingErrors, serverErrors } from './form-errors.ts'

describe('remainingErrors', () => {
  const shown = fieldErrors({ name: 'Enter a name.', flowId: 'Choose a flow.' })

  it('drops fixed errors from fields and summary', () => {
    const found = fieldErrors({ flowId: 'Choose a flow.' })
    expect(remainingErrors(shown, found)).toEqual({ summary: 'Choose a flow.', fields: { flowId: 'Choose a flow.' } })
    expect(remainingErrors(shown, noErrors)).toEqual(noErrors)
  })

  it('shows new errors only after the next submit', () => {
    const found = fieldErrors({ name: 'Enter a name.', value: 'Enter a value.' })
    expect(remainingErrors(shown, found).fields).toEqual({ name: 'Enter a name.' })
    expect(remainingErrors(noErrors, found)).toEqual(noErrors)
  })

  it('drops server errors when values change', () => {
    expect(remainingErrors(serverErrors({ message: 'The name is taken', field: 'name' }), noErrors)).toEqual(noErrors)
    expect(remainingErrors(serverErrors({ message: 'Try again later' }), noErrors)).toEqual(noErrors)
  })
})
