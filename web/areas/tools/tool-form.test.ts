import { expect, test } from 'vitest'
import { checkTool, schemaOf, toFields } from './tool-form.ts'

const stored = {
  name: 'get_weather',
  description: 'Tells the weather',
  color: '#123456',
  iconSrc: null,
  schema: '[{"id":0,"property":"city","description":"Where","type":"string","required":true}]',
  func: 'return 1',
}
const fields = toFields(stored)
const [row] = fields.parameters
const rowNamed = (property: string) => ({ ...(row as NonNullable<typeof row>), key: property, property })

test('a stored tool is edited without a change to its parameters', () => {
  expect(schemaOf(fields.parameters)).toBe(stored.schema)
  expect(checkTool(fields)).toEqual({ fields: {} })
})

test.each([
  [{ name: ' ' }, 'name'],
  [{ description: '' }, 'description'],
  [{ func: '\n' }, 'func'],
  [{ parameters: [rowNamed('')] }, 'parameters'],
  [{ parameters: [rowNamed('two words')] }, 'parameters'],
  [{ parameters: [rowNamed('a'), rowNamed('a')] }, 'parameters'],
])('the form names the field that %j makes wrong', (change, field) => {
  expect(Object.keys(checkTool({ ...fields, ...change }).fields)).toEqual([field])
})
