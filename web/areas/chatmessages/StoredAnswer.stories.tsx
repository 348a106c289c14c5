import { emptyAnswer } from '../../chat/conversation.ts'
import { expect, expectWords, role, story, text } from '../../workshop/story.tsx'
import { StoredAnswer } from './StoredAnswer.tsx'

const stored = (change: object) => <StoredAnswer answer={{ ...emptyAnswer(), state: 'done', ...change }} />

story(
  'a stored answer shows its text, what people thought of it, and its run',
  () => stored({ text: 'Hello **you**', executionId: 'e1', opinion: { rating: 'THUMBS_DOWN', content: 'Too short' } }),
  async () => {
    await expectWords(role('main'), 'Hello you')
    await expectWords(role('main'), 'Bad answer: Too short')
    await expect.element(role('link', 'View run')).toHaveAttribute('href', '/executions/e1')
    expect(role('note').elements()).toEqual([])
  },
)

story(
  'a stored answer that failed says why, and not that it is empty',
  () => stored({ state: 'failed', error: 'The model was busy' }),
  async () => {
    await expectWords(role('note'), 'The model was busy')
    expect(text('The run failed.').elements()).toEqual([])
  },
)

story(
  'a stored answer without text says in which state it is',
  () => (
    <>
      {stored({ state: 'waiting' })}
      {stored({ state: 'failed' })}
    </>
  ),
  async () => {
    await expect.element(text('Waiting for approval.')).toBeVisible()
    await expect.element(text('The run failed.')).toBeVisible()
    expect(role('note').elements()).toEqual([])
  },
)

story(
  'somebody who may not see runs gets no link, and tools are counted',
  () => stored({ text: 'Hi', executionId: 'e1', usedTools: [{ tool: 'calculator', toolInput: {}, toolOutput: '4' }] }),
  async () => {
    await expect.element(text('1 tool used')).toBeVisible()
    expect(role('link').elements()).toEqual([])
  },
  { can: ['chatflows:view'], width: 'phone' },
)
