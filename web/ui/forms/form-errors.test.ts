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

describe('fieldErrors', () => {
  it('ends every message as a sentence, in the summary too', () => {
    expect(fieldErrors({ flowId: 'Choose a flow.', name: 'Name is required', value: false })).toEqual({
      summary: 'Choose a flow. Name is required.',
      fields: { flowId: 'Choose a flow.', name: 'Name is required.' },
    })
  })
})

describe('serverErrors', () => {
  it('ends messages as sentences, without the name of the field', () => {
    expect(serverErrors({ message: 'name: Name is required', field: 'name' })).toEqual({
      summary: 'Name is required.',
      fields: { name: 'Name is required.' },
    })
    expect(serverErrors({ message: 'Another tool is named “loom”' }).summary).toBe('Another tool is named “loom”.')
  })

  it.each(['Try again later.', 'Is it running?', 'Save it again…', 'It says: no!', ''])(
    'keeps %j as it is',
    (message) => {
      expect(serverErrors({ message }).summary).toBe(message)
    },
  )
})
