import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { connectNodes } from '../../document/connect.ts'
import type { FlowDocument } from '../../document/document.ts'
import { orphanedEdges } from '../../document/orphans.ts'
import { parseImportedFlow } from '../../document/parse.ts'
import { exportFlow, serializeFlow } from '../../document/serialize.ts'
import { empty } from '../../testing/flows.ts'
import { kindOfDocument } from '../index.ts'
import { chatflow } from './kind.ts'
import { chooseOutput } from './outputs.ts'
import { chain, chatModel, ifElse, withNodes } from './testing/flows.ts'

/** A file with every kind of port, and beside the repository more of them where there are any. */
const own = JSON.stringify(
  [
    { source: 'chatScripted_0', target: 'llmChain_0', targetHandle: 'llmChain_0-input-model-BaseLanguageModel' },
    { source: 'llmChain_0', target: 'llmChain_1', targetHandle: 'llmChain_1-input-promptValues-json' },
    { source: 'ifElseFunction_0', target: 'llmChain_2', targetHandle: 'llmChain_2-input-promptValues-json' },
  ].reduce<FlowDocument>(
    (flow, connection) => connectNodes(flow, connection, chatflow),
    chooseOutput(
      withNodes(empty, { ...chatModel, credential: undefined, inputs: [] }, chain, chain, chain, ifElse),
      'llmChain_0',
      'outputPrediction',
    ),
  ),
)
const samples = '../shared/samples/flowise/chatflows'
const found = existsSync(samples) ? readdirSync(samples).map((name) => `${samples}/${name}`) : []

it.runIf(existsSync(samples))('finds the sample chat flows outside the repository', () => {
  expect(found.length).toBeGreaterThanOrEqual(12)
})

it.each([['a chat flow', own], ...found.map((path) => [path, readFileSync(path, 'utf8')])])(
  'opens, saves and exports %s as a chat flow without loss',
  (_, text) => {
    const read = parseImportedFlow('A file.json', text)
    if (!read.ok) throw new Error(read.reason)
    expect(kindOfDocument(read.flow)).toBe(chatflow)
    expect(orphanedEdges(read.flow, chatflow)).toEqual([])
    expect(exportFlow(serializeFlow(read.flow), [])).toEqual(JSON.parse(text))
  },
)
