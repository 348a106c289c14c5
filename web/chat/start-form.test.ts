import { expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import { startForm } from './start-form.ts'

const flow = (inputs: Record<string, unknown>): FlowDocument => ({
  nodes: [
    {
      id: 'startAgentflow_0',
      type: 'agentFlow',
      position: { x: 0, y: 0 },
      data: { id: 'startAgentflow_0', name: 'startAgentflow', label: 'Start', inputs },
    },
  ],
  edges: [],
})

it('returns no form when the flow starts with a question', () => {
  expect(startForm(flow({ startInputType: 'chatInput' }), agentflow)).toBeUndefined()
})

it('reads fields and options, labels fields by name and drops fields without one', () => {
  const form = startForm(
    flow({
      startInputType: 'formInput',
      formTitle: 'Order',
      formInputTypes: [
        { type: 'options', label: 'Size', name: 'size', addOptions: [{ option: 'S' }, { option: 'L' }] },
        { type: 'number', name: 'count' },
        { type: 'string', label: 'Unnamed' },
      ],
    }),
    agentflow,
  )
  expect(form).toEqual({
    title: 'Order',
    description: '',
    fields: [
      { type: 'options', label: 'Size', name: 'size', options: ['S', 'L'] },
      { type: 'number', label: 'count', name: 'count', options: [] },
    ],
  })
})
