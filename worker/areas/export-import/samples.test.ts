/** Imports files of other products, runs them to their end against scripted services, and exports them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { bundleSchema, type ImportedFlow } from '#contract/export-import/export-import.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { parseFlow } from '#contract/flow/document/parse.ts'
import { exportFlow, serializeFlow } from '#contract/flow/document/serialize.ts'
import { CODE_MODULES } from '#contract/flow/params/code-modules.ts'
import { ownTools } from '#worker/tools/testing/own-tools.ts'
import { run } from '../../engine/run.ts'
import { requestFor } from '../../engine/testing/flows.ts'
import type { RunOutcome, StepRow } from '../../engine/types.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import { createOpenComponents } from '../../nodes/components.ts'
import { createSandboxes } from '../../ports/sandbox/index.ts'
import { modules } from '../../ports/sandbox/modules/index.ts'
import type { Flows } from '../../ports/types.ts'
import { planImport } from './plan.ts'
import { emptyContext } from './testing/context.ts'
import { credential, scriptedOutside } from './testing/outside.ts'

const folders = [
  join(import.meta.dirname, 'testing/files'),
  join(import.meta.dirname, '../../../../shared/samples/flowise/agentflows'),
]
const chatflowFolders = [
  join(import.meta.dirname, 'testing/chatflows'),
  join(import.meta.dirname, '../../../../shared/samples/flowise/chatflows'),
]
const filesOf = (of: string[]) =>
  of.filter(existsSync).flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
const files = filesOf(folders)

const components = componentDefinitions()
const wasm = join(import.meta.dirname, '../../ports/sandbox/quickjs.wasm')
let sandboxes: ReturnType<typeof createSandboxes>
beforeAll(() => {
  const compiled = WebAssembly.compile(readFileSync(wasm))
  sandboxes = createSandboxes(() => compiled)
})

/** Returns the flow as the import stores it, with its report. */
function take(
  flow: object,
  key: 'AgentFlowV2' | 'ChatFlow' = 'AgentFlowV2',
): { flow: FlowDocument; report: ImportedFlow } {
  const item = { id: crypto.randomUUID(), name: 'File', flowData: JSON.stringify(flow) }
  const plan = planImport(bundleSchema.parse({ [key]: [item] }), {
    runContext: emptyContext,
    components,
    newId: () => crypto.randomUUID(),
  })
  return { flow: opened(plan.flows[0]?.flowData), report: plan.report.flows[0] as ImportedFlow }
}

function opened(flowData: unknown): FlowDocument {
  const result = parseFlow(flowData)
  if (!result.ok) throw new Error(result.message)
  return result.flow
}

/** Differences that need no note in the report: the selection, and empty values of the canvas. */
const blank = (value: unknown) => value === '' || value === undefined || (Array.isArray(value) && value.length === 0)

/** Returns the paths of differing values: `nodes.0.data.icon`. */
function differences(before: unknown, after: unknown, path: string[] = []): string[] {
  if (Object.is(before, after)) return []
  if (typeof before !== 'object' || typeof after !== 'object' || !before || !after) return [path.join('.')]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => {
    const [from, to] = [before, after].map((side) => (side as Record<string, unknown>)[key])
    return key === 'selected' || (blank(from) && to === undefined) ? [] : differences(from, to, [...path, key])
  })
}

/** Returns the differences that neither the report's notes nor its nodes mention. */
function unsaid(paths: string[], { notes, nodes }: ImportedFlow): string[] {
  return paths.filter((path) => {
    const [, index, ...rest] = path.split('.')
    const inNode = rest.slice(1).join('.')
    if (inNode === 'label') return !nodes[Number(index)]?.reasons.some((reason) => reason.includes('no name'))
    return !notes.some((note) => note.includes(inNode || path))
  })
}

const NO_MODULES = 'modules that are not available'

/** Follows the report's requests: choose credentials, replace code that needs modules. */
function completed(flow: FlowDocument, report: ImportedFlow): FlowDocument {
  const needCode = new Set(
    report.nodes.filter(({ reasons }) => reasons.join().includes(NO_MODULES)).map(({ nodeId }) => nodeId),
  )
  const nodes = flow.nodes.map((node) => {
    const inputs = withCredentials(node.data.inputs) as Record<string, unknown>
    const code = needCode.has(node.id) ? { customFunctionJavascriptFunction: 'return "A table"' } : {}
    return { ...node, data: { ...node.data, inputs: { ...inputs, ...code } } }
  })
  return { ...flow, nodes }
}

function withCredentials(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withCredentials)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) =>
    key.endsWith('Config') && typeof inner === 'object'
      ? [key, { ...(inner as object), FLOWISE_CREDENTIAL_ID: 'scripted' }]
      : [key, withCredentials(inner)],
  )
  return Object.fromEntries(entries)
}

/** The flows that others call; they are not part of the files. */
const otherFlows: Flows = {
  run: async ({ question }) => ({
    state: 'FINISHED',
    executionId: 'other-execution',
    text: `Another flow on: ${question}`,
    usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
  }),
  resume: () => Promise.reject(new Error('no other flow waits in this test')),
}

interface Way {
  decide(choices: string[], turn: number): string | undefined
  /** The answers of people, in order; the last one repeats. */
  answers: ('proceed' | 'reject')[]
}

const ways: Record<string, Way> = {
  'straight on': { decide: ([first]) => first, answers: ['proceed'] },
  'with a turn back': {
    decide: (choices, turn) => (turn === 0 ? choices.at(-1) : choices[0]),
    answers: ['reject', 'proceed'],
  },
}

/** Runs to the end: every question stops the run, and its answer is another attempt on its log. */
async function runThrough(flow: FlowDocument, { decide, answers }: Way) {
  const outside = scriptedOutside(decide)
  const sandbox = sandboxes.open(outside.egress)
  const clock = { now: () => new Date('2026-01-02T03:04:05.000Z'), sleep: async () => {} }
  const readCredential = async () => credential
  const openComponents = createOpenComponents({
    readCredential,
    egress: outside.egress,
    sandbox,
    flows: otherFlows,
    own: ownTools({
      // The tool that the sample flow names.
      '5f0c7a5e-9a5c-4a55-8c0e-1b7f6f1f4a10': { name: 'own', description: 'Own', schema: null, func: 'return 1' },
    }),
    clock,
  })
  const found = async () => [{ pageContent: 'A page', metadata: {} }]
  const knowledge = { search: found, documents: found }
  const form = { from: 'ann@example.com', subject: 'Cloth', body: 'Where is it?' }
  const input = { question: 'How many?', form, history: [], text: 'How many?' }
  let rows: StepRow[] = []
  for (let asked = 0; ; asked++) {
    const request = requestFor(flow, {
      openComponents,
      egress: outside.egress,
      sandbox,
      clock,
      flows: otherFlows,
      knowledge,
      input,
      done: rows,
    })
    const outcome = await run(request)
    rows = JSON.parse(JSON.stringify([...rows, ...request.rows]))
    if (outcome.state !== 'STOPPED' || asked > 10) return { outcome, asked, called: outside.called }
    rows.push(answerTo(outcome, rows, answers[Math.min(asked, answers.length - 1)] ?? 'proceed'))
  }
}

function answerTo({ action }: RunOutcome, rows: StepRow[], type: 'proceed' | 'reject'): StepRow {
  const waiting = rows.findLast(({ path }) => path === action?.data.path) as StepRow
  const data = { ...waiting.item.data, answer: { type, feedback: 'Please' } }
  return { ...waiting, seq: rows.length, item: { ...waiting.item, data } }
}

const runnable = (report: ImportedFlow) => report.nodes.every(({ verdict }) => verdict !== 'unsupported')

describe.each(files.map((file) => [basename(file, '.json'), file]))('the sample flow %s', (_name, file) => {
  const original = JSON.parse(readFileSync(file, 'utf8')) as FlowDocument & Record<string, unknown>

  it('is exported with no other changes than the report notes', () => {
    const { flow, report } = take(original)
    const leaving = exportFlow(serializeFlow(flow), components)
    expect(unsaid(differences(original, leaving), report)).toEqual([])
    expect(exportFlow(opened(JSON.stringify(leaving)), components)).toEqual(leaving)
    const kept = report.nodes.filter(({ verdict }) => verdict === 'unsupported').map(({ nodeId }) => nodeId)
    const verbatim = ({ nodes }: FlowDocument) => nodes.filter(({ id }) => kept.includes(id))
    expect(verbatim(leaving)).toEqual(verbatim(original))
  })

  it('is reported node by node', () => {
    const { report } = take(original)
    expect(report.nodes.map(({ nodeId }) => nodeId)).toEqual(original.nodes.map(({ id }) => id))
    for (const { verdict, reasons } of report.nodes) expect(reasons.length > 0).toBe(verdict !== 'exact')
  })

  test.each(Object.keys(ways))('runs to its end %s', async (name) => {
    const { flow, report } = take(original)
    const whole = completed(flow, report)
    const { outcome, asked } = await runThrough(whole, ways[name] as Way)
    if (!runnable(report)) {
      const missing = report.nodes.find(({ verdict }) => verdict === 'unsupported')
      expect(outcome).toMatchObject({ state: 'ERROR', error: expect.stringContaining(missing?.label ?? '') })
      return
    }
    expect(outcome.error).toBeUndefined()
    expect(outcome.state).toBe('FINISHED')
    expect(outcome.text.trim()).not.toBe('')
    const people = original.nodes.filter(({ data }) => data.name === 'humanInputAgentflow').length
    if (people > 0) expect(asked).toBeGreaterThan(0)
    // The completed flow is exported without credentials and is otherwise equal to the file.
    const secretless = exportFlow(serializeFlow(whole), components)
    const written = (path: string) => path.endsWith('.customFunctionJavascriptFunction') && path.startsWith('nodes.')
    const paths = differences(original, secretless).filter((path) => !written(path))
    expect(unsaid(paths, report)).toEqual([])
  })
})

describe.each(filesOf(chatflowFolders).map((file) => [basename(file, '.json'), file]))(
  'the sample chat flow %s',
  (_name, file) => {
    it('is exported with no other changes than the report notes', () => {
      const original = JSON.parse(readFileSync(file, 'utf8')) as FlowDocument & Record<string, unknown>
      const { flow, report } = take(original, 'ChatFlow')
      expect(unsaid(differences(original, exportFlow(serializeFlow(flow), components)), report)).toEqual([])
    })
  },
)

it('reports no modules that code can load', () => {
  expect([...CODE_MODULES].sort()).toEqual(Object.keys(modules).sort())
})

it('finds the sample files of this repository', () => {
  expect(filesOf(folders.slice(0, 1)).length).toBeGreaterThanOrEqual(14)
  expect(filesOf(chatflowFolders.slice(0, 1)).length).toBeGreaterThanOrEqual(1)
})

it.runIf(folders.every(existsSync))('finds the sample flows outside the repository', () => {
  expect(filesOf(folders.slice(1)).length).toBeGreaterThanOrEqual(7)
  expect(filesOf(chatflowFolders.slice(1)).length).toBeGreaterThanOrEqual(12)
})
