import { describe, expect, it, test } from 'vitest'
import { type OpenedFile, openFile, type ServerQueries } from './open-file.ts'

const flow = { nodes: [], edges: [] }
const report = { imported: {}, flows: [], items: [], leftOut: [], notes: [] }
const ask: ServerQueries = {
  canImportBundle: true,
  components: async () => [],
  knownIds: async () => [],
  dryRun: async () => ({ message: 'success', report }),
}
const open = (name: string, content: unknown, more: Partial<ServerQueries> = {}): Promise<OpenedFile> =>
  openFile({ name, text: typeof content === 'string' ? content : JSON.stringify(content) }, { ...ask, ...more })

describe('openFile', () => {
  test.each([
    ['Support Agents.json', flow, 'Support'],
    ['support.JSON', flow, 'support'],
    ['.json', flow, 'Imported flow'],
    ['x.json', { id: '1', name: ' Named ', flowData: JSON.stringify(flow) }, 'Named'],
    ['x.json', { ...flow, name: 'Not an entry' }, 'x'],
  ])('reads %s as a flow', async (name, content, expected) => {
    expect(await open(name, content)).toMatchObject({ kind: 'flow', name: expected, flow: { edges: [] } })
  })

  test.each([
    ['Helper Chatflow.json', 'Chains', 'CHATFLOW', 'Helper'],
    ['Helper Agents.json', 'Agent Flows', 'AGENTFLOW', 'Helper'],
    ['Helper Agents.json', 'Sequential Agents', 'MULTIAGENT', 'Helper'],
  ])('tells the kind of flow of %s by its nodes: %s', async (file, category, type, name) => {
    const node = { id: 'n_0', type: 'customNode', position: { x: 0, y: 0 }, data: { id: 'n_0', name: 'n', category } }
    expect(await open(file, { nodes: [node], edges: [] })).toMatchObject({ kind: 'flow', type, name })
  })

  it('takes the kind of flow that an entry names', async () => {
    const entry = { name: 'Helper', type: 'CHATFLOW', flowData: JSON.stringify(flow) }
    expect(await open('x.json', entry)).toMatchObject({ type: 'CHATFLOW' })
  })

  const sources = [{ name: 'agents/root.yaml', data: 'bmFtZTogcm9vdA==' }]

  test.each([
    ['a flow file', { ...flow, sources }],
    ['an entry of a workspace export', { name: 'Helper', flowData: JSON.stringify(flow), sources }],
  ])('takes the source files out of the document of %s', async (_, content) => {
    const opened = await open('x.json', content)
    expect(opened).toMatchObject({ kind: 'flow', sources })
    expect((opened as { flow: object }).flow).not.toHaveProperty('sources')
  })

  it('are named that the file lacks', async () => {
    const note = 'The source file gone.bin, whose bytes are lost'
    const opened = await open('x.json', { ...flow, notExported: [{ note }, null, { note: 1 }] })
    expect(opened).toMatchObject({ kind: 'flow', missing: [note] })
    expect((opened as { flow: object }).flow).not.toHaveProperty('notExported')
  })

  it('leaves what only has the name of source files where it is', async () => {
    const opened = await open('x.json', { ...flow, sources: [{ name: 'a' }] })
    expect(opened).toMatchObject({ sources: [], flow: { sources: [{ name: 'a' }] } })
  })

  it('sends a workspace export unchanged', async () => {
    const bundle = { AgentFlowV2: [], own: 1 }
    const sent: object[] = []
    const dryRun: ServerQueries['dryRun'] = async (asked) => {
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
    ['flow.json', { nodes: 1 }, 'This isn’t a flow file: it has no “nodes” list.'],
    ['flow.json', { nodes: [] }, 'This isn’t a flow file: it has no “edges” list.'],
    ['flow.json', { nodes: [{ id: 1 }], edges: [] }, 'nodes.0.id is missing or of the wrong type.'],
    ['flow.json', [], 'This isn’t a flow file.'],
    ['flow.json', null, 'The flow is not valid JSON.'],
  ])('rejects %s', async (name, content, reason) => {
    expect(await open(name, content)).toEqual({ kind: 'refused', message: 'Invalid Imported File', reason })
  })

  it('rejects a workspace export without a request when the permission is missing', async () => {
    const dryRun = () => Promise.reject(new Error('asked'))
    const refused = await open('Export.json', { AgentFlowV2: [] }, { dryRun, canImportBundle: false })
    expect(refused).toMatchObject({ kind: 'refused', message: expect.stringContaining('“Workspaces: Import”') })
  })

  it('rejects a workspace export with the message of the server', async () => {
    const dryRun = () => Promise.reject(new Error('AgentFlowV2.0.name: Name is required'))
    const opened = await open('Export.json', { AgentFlowV2: [{}] }, { dryRun })
    expect(opened).toEqual({ kind: 'refused', message: 'AgentFlowV2.0.name: Name is required' })
  })
})
