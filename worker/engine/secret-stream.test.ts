// @defends value-secret-variable
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RunEvent } from '#contract/runs/events.ts'
import { createRedactor } from './redactor.ts'
import { withoutSecrets } from './secret-stream.ts'

const secretsOf = (...values: string[]) => {
  const secrets = createRedactor()
  secrets.add(values)
  return secrets
}

/** Emits the events and the end of a run; returns what came out. */
function said(events: RunEvent[], ...values: string[]): RunEvent[] {
  const out: RunEvent[] = []
  const emit = withoutSecrets((event) => void out.push(event), secretsOf(...values))
  for (const event of [...events, { event: 'agentFlowEvent', data: 'FINISHED' } as const]) emit(event)
  return out
}

const tokens = (...pieces: string[]): RunEvent[] => pieces.map((data) => ({ event: 'token', data }))
const textOf = (events: RunEvent[], name = 'token') =>
  events.flatMap(({ event, data }) => (event === name ? [data as string] : [])).join('')

it.each<[string, string[], string]>([
  ['in one piece', ['The key is sk-12345.'], 'The key is (hidden).'],
  ['letter by letter', [...'The key is sk-12345.'], 'The key is (hidden).'],
  ['twice', ['sk-123', '45sk-1', '2345'], '(hidden)(hidden)'],
  ['after a beginning that is none', ['sk-sk-12', '345'], 'sk-(hidden)'],
  ['only begun', ['a sk-12', '3x'], 'a sk-123x'],
  ['begun at the end', ['a sk-123'], 'a sk-123'],
])('a secret that arrives %s does not go out', (_how, pieces, expected) => {
  expect(textOf(said(tokens(...pieces), 'sk-12345'))).toBe(expected)
})

it('text without a beginning of a secret goes out at once', () => {
  const out: RunEvent[] = []
  const emit = withoutSecrets((event) => void out.push(event), secretsOf('sk-12345'))
  for (const event of tokens('Hello ', 'world')) emit(event)
  expect(out).toEqual(tokens('Hello ', 'world'))
})

it('other events between the pieces let no secret through, and are redacted themselves', () => {
  const tool = { tool: 't', toolOutput: 'sk-12345' }
  const events: RunEvent[] = [
    ...tokens('sk-1'),
    { event: 'usedTools', data: [tool] },
    { event: 'artifacts', data: [{ type: 'markdown', data: 'sk-12345' }] },
    ...tokens('2345'),
  ]
  const out = said(events, 'sk-12345')
  expect(JSON.stringify(out)).not.toContain('2345')
  expect(textOf(out)).toBe('(hidden)')
})

it('thinking is redacted apart from the answer, and its duration stays', () => {
  const events: RunEvent[] = [
    { event: 'thinking', data: 'use sk-1' },
    ...tokens('sk-1'),
    { event: 'thinking', data: '2345 now' },
    { event: 'thinking', data: '', duration: 3 },
    ...tokens('23'),
  ]
  const out = said(events, 'sk-12345')
  expect(textOf(out, 'thinking')).toBe('use (hidden) now')
  expect(textOf(out)).toBe('sk-123')
  expect(out).toContainEqual({ event: 'thinking', data: '', duration: 3 })
})

it('what a run says is the same in whichever pieces it arrives', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'ab', 'aab', 'abaab', ' ')).map((parts) => parts.join(''))
  const secret = fc.array(fc.constantFrom('a', 'b'), { minLength: 6, maxLength: 9 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, secret, fc.array(fc.nat(12)), (whole, value, cuts) => {
      const places = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b)
      const pieces = [...places, whole.length].map((to, index) => whole.slice(places[index - 1] ?? 0, to))
      const shown = textOf(said(tokens(...pieces), value))
      expect(shown).not.toContain(value)
      expect(shown.replaceAll('(hidden)', value)).toBe(whole)
    }),
  )
})

it('a secret that becomes known while a run speaks counts from then on', () => {
  const secrets = createRedactor()
  const out: RunEvent[] = []
  const emit = withoutSecrets((event) => void out.push(event), secrets)
  for (const event of tokens('before, ')) emit(event)
  secrets.add(['sk-12345'])
  for (const event of [...tokens('sk-1', '2345'), { event: 'agentFlowEvent', data: 'FINISHED' } as const]) emit(event)
  expect(textOf(out)).toBe('before, (hidden)')
})
