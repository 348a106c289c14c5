import { expect, expectWords, never, refusal, role, story, text } from '../../../workshop/story.tsx'
import { ModeResults } from './ModeResults.tsx'

const results = (more: object = {}) => (
  <ModeResults
    store={{ id: 's1' } as never}
    mode="keyword"
    query="return policy"
    config={{} as never}
    isDefault
    hideBelowLg={false}
    {...more}
  />
)

const hit = {
  id: 'c1',
  docId: 'd1',
  chunkNo: 2,
  pageContent: 'Our return policy is kind.',
  metadata: { source: 'handbook.pdf', page: 4 },
  score: 0.5,
  ranks: { keyword: { rank: 1, score: 3 } },
}
const found = { timeTaken: 12, mode: 'keyword', docs: [hit], notes: [] }
const call = 'POST /document-store/vectorstore/query'

story(
  'a hit shows its place, with the words of the question marked',
  () => results(),
  async () => {
    await expectWords(role('listitem'), 'handbook.pdf, page 4')
    await expect.element(role('link', 'Chunk 2')).toBeVisible()
    const marked = [...document.querySelectorAll('main mark')].map(({ textContent }) => textContent?.trim())
    expect(marked).toEqual(['return', 'policy'])
    expect(text(/^Nothing found/).elements()).toEqual([])
    await expect.element(text('Default')).toBeVisible()
    await expectWords(role('listitem'), 'Keyword #1')
  },
  { answers: { [call]: found } },
)

story(
  'a search without a hit says what to try',
  () => results({ isDefault: false }),
  async () => {
    await expectWords(role('status'), 'Nothing found. Try other words')
    expect(text('Default').elements()).toEqual([])
  },
  { answers: { [call]: { ...found, docs: [], notes: [] } } },
)

story(
  'what did not work is said above what did',
  () => results(),
  async () => {
    await expectWords(role('note'), 'The reranker did not answer.')
    await expect.element(role('listitem')).toBeVisible()
  },
  { answers: { [call]: { ...found, notes: ['The reranker did not answer.'] } } },
)

story(
  'a search in progress says so',
  () => results(),
  async () => {
    await expect.element(role('status', 'Searching by keyword')).toBeInTheDocument()
  },
  { answers: { [call]: never } },
)

story(
  'a failed search can be tried again, and somebody who may only look saves no default',
  () => results(),
  async ({ sent }) => {
    await expectWords(role('alert'), 'No embeddings')
    await role('button', 'Try again').click()
    await expect.poll(() => sent).toHaveLength(2)
    expect(role('button', 'Save as default').elements()).toEqual([])
  },
  { answers: { [call]: refusal(400, 'No embeddings') }, can: ['documentStores:view'] },
)
