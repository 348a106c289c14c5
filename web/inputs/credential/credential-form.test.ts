import { describe, expect, it } from 'vitest'
import { checkCredential, errorOfField, fieldsToSend, initialValues } from './credential-form.ts'

const definition = {
  label: 'Somewhere',
  name: 'somewhereApi',
  version: 1,
  inputs: [
    { label: 'Key', name: 'key', type: 'password' },
    { label: 'Address', name: 'address', type: 'string', default: 'https://example.com' },
    { label: 'Note', name: 'note', type: 'string', optional: true },
  ],
}

describe('the credential form', () => {
  it('starts with the defaults of its type', () => {
    expect(initialValues(definition)).toEqual({ key: '', address: 'https://example.com', note: '' })
  })

  it('starts with the stored values without secrets', () => {
    expect(initialValues(definition, { key: 'blank', address: 'https://a.example' })).toEqual({
      key: undefined,
      address: 'https://a.example',
      note: '',
    })
    expect(initialValues(definition, { address: '' }).key).toBe('')
  })

  it.each([
    ['Mine', { key: 'k', address: 'a', note: '' }, []],
    [' ', { key: 'k', address: 'a' }, ['name']],
    ['Mine', { key: ' ', address: '', note: '' }, ['key', 'address']],
    ['Mine', { key: undefined, address: 'a' }, []],
  ])('requires the missing fields of %j with %j: %j', (name, values, wrong) => {
    expect(Object.keys(checkCredential(name, values, definition.inputs).fields)).toEqual(wrong)
  })

  it('does not send unchanged secrets', () => {
    expect(fieldsToSend({ key: undefined, address: '', note: 'x' })).toEqual({ address: '', note: 'x' })
  })

  it('finds the server error of a field', () => {
    expect(errorOfField({ fields: { 'plainDataObj.key': 'Too short' } }, 'key')).toBe('Too short')
    expect(errorOfField({ fields: { key: 'Missing' } }, 'key')).toBe('Missing')
    expect(errorOfField({ fields: {} }, 'key')).toBeUndefined()
  })
})
