import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { designsFolder, readRecordings } from './recordings.ts'

/** What differs from machine to machine or from run to run. */
const OF_A_MACHINE: [what: string, pattern: RegExp][] = [
  ['an absolute path', /(?<![\w.>])\/(bin|etc|home|opt|private|root|tmp|Users|usr|var|work)\/|\b[A-Z]:\\/],
  ['a UUID', /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-/i],
  ['an id of a call', /\badk-[\da-f]|\bcall_\d/],
  ['an address of the network', /\blocalhost\b|\b127\.0\.0\.1\b/],
  ['an address in memory', /\b0x[\da-f]{4,}/i],
  ['a time', /\b\d{4}-\d\d-\d\dT\d\d:|\b1\d{9}(\d{3}|\.\d+)?\b/],
]

const machineTraces = (text: string) => OF_A_MACHINE.filter(([, pattern]) => pattern.test(text)).map(([what]) => what)

/** Fewer would leave out rules that the product has to keep. */
const LEAST_DESIGNS = 16
const LEAST_MESSAGES = 3
const MOST_KIB = 64

const adk = readRecordings('adk')

it('records enough designs of ADK', () => {
  expect(adk.length).toBeGreaterThanOrEqual(LEAST_DESIGNS)
})

describe.each(adk)('the recording $name', ({ name, script, trace }) => {
  const read = (file: string) => readFileSync(join(designsFolder('adk'), name, file), 'utf8')

  it('has a design that the framework loads', () => {
    const roots = ['root_agent.yaml', 'agent.py'].filter((file) => existsSync(join(designsFolder('adk'), name, file)))
    expect(roots).toHaveLength(1)
  })

  it('sends enough messages in one session', () => {
    const inFirst = trace.messages.filter(({ message }) => message.session === undefined)
    expect(inFirst.length).toBeGreaterThanOrEqual(LEAST_MESSAGES)
  })

  it('answers the messages of its script', () => {
    const asked = script.messages.map(({ answers: _, ...message }) => message)
    expect(trace.messages.map(({ message }) => message)).toEqual(asked)
  })

  it('asks for exactly the answers that its script has for each message', () => {
    const counted = trace.messages.map(({ steps }) => {
      const agents = steps.flatMap((step) => ('turn' in step ? [step.turn.agent] : []))
      return Object.fromEntries(
        [...Map.groupBy(agents, (agent) => agent)].map(([agent, { length }]) => [agent, length]),
      )
    })
    const scripted = script.messages.map(({ answers }) =>
      Object.fromEntries(Object.entries(answers).map(([agent, { length }]) => [agent, length])),
    )
    expect(counted).toEqual(scripted)
  })

  it('has nothing of the machine that made it, and is small', () => {
    const text = read('trace.json')
    expect(machineTraces(text)).toEqual([])
    expect(text.length).toBeLessThan(MOST_KIB * 1024)
  })

  it('is listed with what it shows', () => {
    const page = readFileSync(join(designsFolder('adk'), '../README.md'), 'utf8')
    expect(page).toContain(`| \`${name}\` | ${script.shows} |`)
  })
})

it.each([
  ['File "/home/ann/.venv/lib/a.py"', 'an absolute path'],
  ['C:\\Users\\ann', 'an absolute path'],
  ['e-ec618ddf-47db-4b6c-837b-01efd8055bd9', 'a UUID'],
  ['adk-0a1b', 'an id of a call'],
  ['call_12', 'an id of a call'],
  ['http://127.0.0.1:4471/v1', 'an address of the network'],
  ['<object at 0x7f3a9c2b>', 'an address in memory'],
  ['2026-11-26T10:00:00', 'a time'],
  ['1795893092.58', 'a time'],
])('finds in %s what a recording must not have: %s', (text, what) => {
  expect(machineTraces(text)).toContain(what)
})

it('takes names of calls, of nodes and of the model server for what they are', () => {
  expect(machineTraces('call-12 desk@1/maths@2 <model server>/chat/completions 12 euros')).toEqual([])
})
