/** A made-up kind of flow, added with a line in the table of facts: every page finds it there. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { FlowType } from '#contract/flow/flow-types.ts'
import type * as Facts from '#contract/flow/kinds/facts.ts'
import { gardenFacts } from '#contract/flow/kinds/testing/garden/facts.ts'
import type { TemplateType } from '#contract/marketplaces/marketplaces.ts'

const FACTS = '#contract/flow/kinds/facts.ts'

async function loadPages() {
  return {
    ...(await import('#contract/marketplaces/marketplaces.ts')),
    ...(await import('../areas/export-import/names.ts')),
    ...(await import('../first-paint/shell.ts')),
    ...(await import('../ui/TemplateCard.tsx')),
    ...(await import('./early-calls.ts')),
    ...(await import('./flow-link.ts')),
  }
}

let pages: Awaited<ReturnType<typeof loadPages>>

// Other tests of this process have loaded the pages without the kind, and will load them again.
beforeAll(async () => {
  vi.resetModules()
  vi.doMock(FACTS, async (original) => {
    const { KIND_FACTS, ...rest } = await original<typeof Facts>()
    const all: Record<string, { editor: string | null }> = { ...KIND_FACTS, GARDEN: gardenFacts }
    const types = Object.keys(all).filter((type) => all[type]?.editor === 'canvas')
    return { ...rest, KIND_FACTS: all, factsOf: (type: string) => all[type], CANVAS_TYPES: types }
  })
  pages = await loadPages()
})
afterAll(() => {
  vi.doUnmock(FACTS)
  vi.resetModules()
})

const type: FlowType = gardenFacts.type

it('has links to its list, a new flow, a stored flow and what was said to it', () => {
  const { flowLink, flowListLink, flowPage, messagesLink } = pages
  expect(flowListLink(type)).toEqual({ to: '/gardens' })
  expect(flowLink(type as Facts.CanvasFlowType)).toEqual({ to: '/gardens/canvas/{-$id}', params: {} })
  expect(flowPage(type, 'g')).toEqual({ to: '/gardens/canvas/{-$id}', params: { id: 'g' } })
  expect(messagesLink(type, 'g')).toEqual({ to: '/gardens/$id/messages', params: { id: 'g' } })
})

it('has the shell and the first calls of a canvas', () => {
  const { firstCalls, shellOf } = pages
  expect(shellOf('/gardens/canvas/g', false)).toBe('canvas')
  expect(shellOf('/gardens/g/messages', false)).toBe('side')
  expect(firstCalls('/gardens/canvas')).toEqual(['/settings', '/nodes/well'])
  expect(firstCalls('/gardens/canvas/g')).toEqual(['/settings', '/chatflows/g', '/chatflows/g/components'])
})

it('is named in templates, exports and imports', () => {
  const { EXPORT_OPTIONS, flowTypeOf, itemName, templateTypeName } = pages
  const template = gardenFacts.template.type as string as TemplateType
  expect([flowTypeOf(template), templateTypeName(template)]).toEqual(['GARDEN', 'Garden'])
  expect(EXPORT_OPTIONS.find(({ kind }) => kind === 'agentflowv2')?.name).toBe('Agent flows and gardens')
  expect(itemName({ key: 'AgentFlowV2', type })).toBe('Garden')
})
