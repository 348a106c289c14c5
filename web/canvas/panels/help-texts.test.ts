import { expect, it } from 'vitest'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { withHelpTexts } from './help-texts.ts'

const param = (name: string, more: Partial<InputParam> = {}): InputParam => ({
  name,
  label: name,
  type: 'string',
  ...more,
})

it.each([
  [
    'the text of a file gives way',
    [param('a', { description: 'Old', warning: 'Old' })],
    [param('a', { description: 'New' })],
    [param('a', { description: 'New' })],
  ],
  ['a text that is no longer there is gone', [param('a', { description: 'Old' })], [param('a')], [param('a')]],
  [
    'an input that is not known here keeps its text',
    [param('b', { description: 'Old' })],
    [param('a')],
    [param('b', { description: 'Old' })],
  ],
  [
    'inputs of one name are told apart by type',
    [param('a', { type: 'number' })],
    [param('a', { description: 'Text' }), param('a', { type: 'number', description: 'Number' })],
    [param('a', { type: 'number', description: 'Number' })],
  ],
  [
    'the fields of a list are read too',
    [param('l', { array: [param('a', { description: 'Old' })] })],
    [param('l', { array: [param('a', { description: 'New' })] })],
    [param('l', { array: [param('a', { description: 'New' })] })],
  ],
  [
    "everything else stays the file's",
    [param('a', { label: 'Mine', default: 1 })],
    [param('a', { description: 'New' })],
    [param('a', { label: 'Mine', default: 1, description: 'New' })],
  ],
])('%s', (_, params, known, shown) => expect(withHelpTexts(params, known)).toEqual(shown))
