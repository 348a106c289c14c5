import { describe, expect, it } from 'vitest'
import { fakeNetwork } from '../../ports/testing/fake-network.ts'
import { openTool } from '../testing/tools.ts'
import { readPath } from './json-path.ts'

const data = {
  user: { name: 'Jo', 'full name': 'Jo Doe' },
  items: [
    { id: 1, tags: ['a'] },
    { id: 2, tags: ['b', 'c'] },
  ],
  'a.b': 'dotted',
  none: null,
}

describe('a JSON path', () => {
  it.each([
    ['user.name', 'Jo'],
    ['$.user.name', 'Jo'],
    ['$', data],
    ['items[1].id', 2],
    ['items.1.id', 2],
    ['items[0]', { id: 1, tags: ['a'] }],
    ['items[*].id', [1, 2]],
    ['items.*.tags[0]', ['a', 'b']],
    ['user["full name"]', 'Jo Doe'],
    ["$['user']['name']", 'Jo'],
    ['a.b', 'dotted'],
    ['none', null],
    ['user[*]', ['Jo', 'Jo Doe']],
  ])('reads the path %s', (path, value) => {
    expect(readPath(data, path)).toEqual(value)
  })

  it.each([
    ['user.age', '"user.age" was not found: the object with name, full name has no "age"'],
    ['items[5].id', '"items[5].id" was not found: a list of 2 has no "5"'],
    ['user.name.first', 'the value "Jo" has no "first"'],
    ['none.x', 'the value null has no "x"'],
    ['user.constructor', 'has no "constructor"'],
    ['user.__proto__', 'has no "__proto__"'],
    ['items[', 'The path "items[" is invalid at "["'],
    ['user.name[*]', '[*] needs a list or an object'],
  ])('%s: %s', (path, message) => {
    expect(() => readPath(data, path)).toThrow(message)
  })
})

describe('the JSON path extractor', () => {
  const open = (config: Record<string, unknown>) => openTool('jsonPathExtractor', fakeNetwork({}), { config })

  it.each([
    [{ json: JSON.stringify(data) }, 'items[*].id', '[1,2]'],
    [{ json: data }, 'user.name', 'Jo'],
    [{ json: [1, 2] }, '[1]', '2'],
    [{ json: data }, 'none', 'null'],
  ])('reads %j at the path %s', async (args, path, value) => {
    const tool = await open({ path })
    expect(tool).toMatchObject({ name: 'json_path_extractor', hasEffect: false })
    expect(await tool.call(args)).toBe(value)
  })

  it('fails with a clear error, or returns null if configured', async () => {
    await expect((await open({ path: 'x' })).call({ json: data })).rejects.toThrow('"x" was not found')
    await expect((await open({ path: 'x' })).call({ json: '{' })).rejects.toThrow('Invalid JSON: {')
    const lenient = await open({ path: 'x', returnNullOnError: true })
    expect(await lenient.call({ json: data })).toBe('null')
    expect(await lenient.call({ json: '{' })).toBe('null')
    await expect(open({ path: ' ' })).rejects.toThrow('JSON path is empty')
  })
})
