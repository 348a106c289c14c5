import { describe, expect, it, test } from 'vitest'
import { type OpenedFile, openFile, type Questions } from './open-file.ts'

const flow = { nodes: [], edges: [] }
const report = { imported: {}, flows: [], leftOut: [], notes: [] }
const ask: Questions = {
  mayImportBundle: true,
  components: async () => [],
  flowIds: async () => [],
  dryRun: async () => ({ message: 'success', report }),
}
const open = (name: string, content: unknown, more: Partial<Questions> = {}): Promise<OpenedFile> =>
  openFile({ name, text: typeof content === 'string' ? content : JSON.stringify(content) }, { ...ask, ...more })

describe('a chosen file', () => {
  test.each([
    ['Support Agents.json', flow, 'Support'],
    ['support.JSON', flow, 'support'],
    ['.json', flow, 'Imported flow'],
    ['x.json', { id: '1', name: ' Named ', flowData: JSON.stringify(flow) }, 'Named'],
    ['x.json', { ...flow, name: 'Not an entry' }, 'x'],
  ])('%s is a flow', async (name, content, expected) => {
    expect(await open(name, content)).toMatchObject({ kind: 'flow', name: expected, flow: { edges: [] } })
  })

  it('with lists of a workspace is a bundle, sent as it is', async () => {
    const bundle = { AgentFlowV2: [], own: 1 }
    const sent: object[] = []
    const dryRun: Questions['dryRun'] = async (asked) => {
      sent.push(asked)
      return { message: 'success', report }
    }
    expect(await open('Export.json', bundle, { dryRun })).toEqual({
      kind: 'bundle',
      name: 'Export.json',
      bundle,
      report,
    })
    expect(sent).toEqual([bundle])
  })

  test.each([
    ['flow.txt', flow, 'Only .json files can be imported.'],
    ['bundle.txt', { AgentFlowV2: [] }, 'Only .json files can be imported.'],
    ['flow.json', 'nodes', 'The flow is not valid JSON.'],
    ['flow.json', { nodes: 1 }, expect.stringMatching(/^nodes: /)],
    ['flow.json', null, expect.any(String)],
  ])('%s is refused', async (name, content, reason) => {
    expect(await open(name, content)).toEqual({ kind: 'refused', message: 'Invalid Imported File', reason })
  })

  it('refuses a bundle without asking the server where the person may not take it in', async () => {
    const dryRun = () => Promise.reject(new Error('asked'))
    const refused = await open('Export.json', { AgentFlowV2: [] }, { dryRun, mayImportBundle: false })
    expect(refused).toMatchObject({ kind: 'refused', message: expect.stringContaining('workspace:import') })
  })

  it('is refused in the words of the server', async () => {
    const dryRun = () => Promise.reject(new Error('AgentFlowV2.0.name: Name is required'))
    const opened = await open('Export.json', { AgentFlowV2: [{}] }, { dryRun })
    expect(opened).toEqual({ kind: 'refused', message: 'AgentFlowV2.0.name: Name is required' })
  })
})
