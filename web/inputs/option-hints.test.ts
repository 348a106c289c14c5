import { describe, expect, it } from 'vitest'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { choicesOf, emptyText, goneText, missingLabel } from './option-hints.ts'

const param = (name: string, type: string, more: Partial<InputParam> = {}): InputParam => ({
  label: name.toUpperCase(),
  name,
  type,
  ...more,
})
const list = param('list', 'asyncMultiOptions', { refresh: true })
const from = param('from', 'options', { default: 'file' })
const file = param('file', 'file', { show: { from: 'file' } })
const link = param('link', 'string', { show: { from: 'link' } })
const note = param('note', 'string', { optional: true })
const form = [from, file, link, note, list]

describe('missingLabel', () => {
  it.each([
    ['the first one that is shown', {}, 'FILE'],
    ['that of the other choice', { from: 'link' }, 'LINK'],
    ['an empty text is not filled in', { from: 'link', link: ' ' }, 'LINK'],
    ['nothing any more', { from: 'link', link: 'https://example.com' }, undefined],
    ['neither optional inputs nor lists', { file: 'data:' }, undefined],
  ])('finds the hint for %s', (_, inputs, label) => expect(missingLabel(list, form, inputs)).toBe(label))
})

describe('choicesOf', () => {
  const component = (name: string) =>
    name === 'server'
      ? ({ inputs: [param('address', 'string'), param('actions', 'asyncMultiOptions', { refresh: true })] } as never)
      : undefined
  const none = (): ComponentDefinition | undefined => undefined

  it('includes chosen but not typed values or loaded lists', () =>
    expect(choicesOf(form, { from: 'link', link: 'https://e', list: '["a"]' }, none)).toEqual(['link', undefined]))

  it('shortens files but keeps them distinct', () => {
    const bytes = 'A'.repeat(10_000)
    const [, one] = choicesOf(form, { file: `data:x;base64,${bytes},filename:one` }, none)
    const [, two] = choicesOf(form, { file: `data:x;base64,${bytes},filename:two` }, none)
    expect(one).not.toBe(two)
    expect(String(one).length).toBeLessThan(300)
  })

  it('includes choices and the credential of component settings', () => {
    const tool = param('tool', 'asyncOptions', { loadConfig: true })
    const config = { FLOWISE_CREDENTIAL_ID: 'c', address: 'https://e', actions: '["greet"]' }
    expect(choicesOf([tool], { tool: 'server', toolConfig: config }, component)).toEqual(['server', 'c', '["greet"]'])
    expect(choicesOf([tool], { tool: 'other', toolConfig: config }, component)).toEqual(['other'])
  })
})

it('explains what to do about an empty list', () => {
  expect(emptyText(param('s', 'asyncOptions', { loadMethod: 'listStores' }))).toMatch(/no document store/)
  expect(emptyText(param('s', 'asyncOptions', { loadMethod: 'ofItsOwn' }))).toBe('No options yet.')
})

it('says that only admins answer for a role that was removed', () => {
  expect(goneText(param('s', 'asyncOptions', { loadMethod: 'listRoles' }))).toBe('removed: only admins can answer')
  expect(goneText(param('s', 'asyncOptions', { loadMethod: 'listStores' }))).toBe('not available')
})
