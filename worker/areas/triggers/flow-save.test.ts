import { afterEach, expect, it, vi } from 'vitest'
import { updateFlowSchema } from '#contract/chatflows/chatflows.ts'
import { openDatabase } from '#db/client.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { flowSave } from './flow-save.ts'

afterEach(() => vi.restoreAllMocks())

it('parses the flow data of a save once', () => {
  const text = JSON.stringify(chain(start({ startInputType: 'webhookTrigger' }), directReply('Hi')))
  const parse = vi.spyOn(JSON, 'parse')
  const { flowData } = updateFlowSchema.parse({ flowData: text })
  if (!flowData) throw new Error('The schema dropped the flow data')
  const saved = { id: 'f', flowData, updatedDate: '2026-01-01T00:00:00.000Z' }
  const statements = flowSave(openDatabase('http://localhost'), { workspaceId: 'w' }, saved)
  expect(statements).toHaveLength(2)
  expect(parse.mock.calls.filter(([json]) => json === text)).toHaveLength(1)
})
