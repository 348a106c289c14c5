import { expect, expectWords, role, story, text } from '../../workshop/story.tsx'
import { agentflowKind } from '../kinds/agentflow/index.ts'
import { CompareView } from './CompareView.tsx'

const flow = { nodes: [], edges: [] }
const compare = { title: 'Compare versions', after: flow, before: flow, definitions: new Map(), kind: agentflowKind }

story(
  'two versions whose source files differ list the files that were added, removed or changed',
  () => (
    <CompareView
      {...compare}
      sources={[
        { name: 'agents/root.yaml', mark: 'changed', before: 1000, after: 1536 },
        { name: 'new.py', mark: 'added', before: undefined, after: 0 },
      ]}
      onClose={() => {}}
    />
  ),
  async () => {
    await expect.element(role('heading', 'Source files')).toBeVisible()
    await expectWords(role('complementary', 'Changes'), 'The drawing is the same.')
    const items = role('listitem')
      .elements()
      .map(({ textContent }) => textContent)
    expect(items).toEqual(['Changedagents/root.yaml1000 Bytes → 1.50 KB', 'Addednew.py0 Bytes'])
  },
)

story(
  'two equal versions have no differences',
  () => <CompareView {...compare} sources={[]} onClose={() => {}} />,
  async () => {
    await expect.element(text('No differences.')).toBeVisible()
    expect(role('heading', 'Source files').elements()).toEqual([])
  },
)
