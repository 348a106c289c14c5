import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { HumanInputAction } from '#contract/runs/events.ts'
import { session } from '../api/session.ts'
import { Held } from '../workshop/Held.tsx'
import { expect, expectWords, role, story, text, tick, userEvent } from '../workshop/story.tsx'
import { AnswerView } from './AnswerView.tsx'
import { Approval } from './approvals/Approval.tsx'
import { Decision } from './approvals/Decision.tsx'
import { Composer } from './Composer.tsx'
import { ChatLook, MEMBER_LOOK } from './chat-look.ts'
import { type Answer, emptyAnswer, type Opinion, type Turn } from './conversation.ts'
import { FormInput } from './FormInput.tsx'
import Markdown from './Markdown.tsx'
import { MessageList, type MessageListProps } from './MessageList.tsx'
import { QuestionView } from './QuestionView.tsx'
import { Rating } from './Rating.tsx'

const answer = (change: Partial<Answer>): Answer => ({ ...emptyAnswer(), state: 'done', ...change })

type Tell = (value: unknown) => void

const answerView = (tell: Tell, change: Partial<Answer>) => (
  <AnswerView
    answer={answer(change)}
    busy={false}
    onRetry={() => tell('retry')}
    onAnswer={tell}
    onRate={async (opinion) => tell(opinion)}
  />
)

story(
  'an answer that has not begun says that it is awaited',
  (tell) => answerView(tell, { state: 'running' }),
  async () => {
    await expect.element(role('status', 'Waiting for answer')).toBeInTheDocument()
    expect(role('button', 'Copy answer').elements()).toEqual([])
  },
)

story(
  'an answer is Markdown, and can be copied with the tools it used left out',
  (tell) => {
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (words: string) => tell(words) },
    })
    return answerView(tell, { text: 'It is **42**.', usage: { total_tokens: 1234 } as Answer['usage'] })
  },
  async ({ told }) => {
    await expect.element(role('strong')).toHaveTextContent('42')
    await expectWords(role('main'), '1.2k tokens')
    await role('button', 'Copy answer').click()
    await expect.poll(() => told).toEqual(['It is **42**.'])
    await expect.element(text('Copied')).toBeVisible()
  },
)

story(
  'a failed answer says why, leads to what mends it and can be tried again',
  (tell) => (
    <ChatLook value={{ ...MEMBER_LOOK, openNode: tell }}>
      {answerView(tell, {
        state: 'failed',
        error: 'The model has no credential',
        steps: [{ nodeId: 'llm_0', nodeLabel: 'Writer', status: 'ERROR', error: 'The model has no credential' }],
      })}
    </ChatLook>
  ),
  async ({ told }) => {
    await expectWords(role('alert'), 'The model has no credential')
    await role('button', 'Open Writer').click()
    await role('button', 'Try again').click()
    expect(told).toEqual(['llm_0', 'retry'])
  },
)

story(
  'visitors read the words of the flow’s owner in place of an error',
  (tell) => (
    <ChatLook value={{ ...MEMBER_LOOK, forMembers: false, errorMessage: 'Please call us.' }}>
      {answerView(tell, { state: 'failed', error: 'The model has no credential' })}
    </ChatLook>
  ),
  async () => {
    await expectWords(role('alert'), 'Please call us.')
    expect(text(/credential/).elements()).toEqual([])
    expect(role('link').elements()).toEqual([])
  },
)

story(
  'a stopped answer says that it was stopped, or why',
  (tell) => (
    <>
      {answerView(tell, { state: 'stopped', text: 'Half of it' })}
      {answerView(tell, { state: 'stopped', error: 'The limit of tokens was reached.' })}
    </>
  ),
  async () => {
    await expect.element(text('Stopped.')).toBeVisible()
    await expect.element(role('note')).toHaveTextContent('The limit of tokens was reached.')
  },
)

const cited = (source: string, page_?: number) => ({
  pageContent: `Words of ${source}`,
  metadata: { source, ...(page_ && { loc: { pageNumber: page_ } }) },
})

story(
  'the sources of an answer are folded, and each is listed once',
  (tell) =>
    answerView(tell, {
      text: 'See the handbook.',
      sources: [cited('https://example.com/a'), cited('https://example.com/a'), cited('handbook.pdf')],
    }),
  async () => {
    await text('2 sources').click()
    await expect.element(role('list', 'Sources')).toBeVisible()
    expect(role('list', 'Sources').element().querySelectorAll(':scope > li')).toHaveLength(2)
    expect(text('Words of handbook.pdf').elements()).toHaveLength(1)
  },
)

story(
  'a finished answer is rated, and a bad one asks what was wrong',
  (tell) => (
    <Held<Opinion | undefined> initial={undefined} tell={tell}>
      {(opinion, change) => <Rating opinion={opinion} onRate={async (next) => change(next)} />}
    </Held>
  ),
  async ({ told }) => {
    await role('button', 'Good answer').click()
    await expect.element(role('button', 'Good answer')).toHaveAttribute('aria-pressed', 'true')
    await role('button', 'Good answer').click()
    expect(told).toEqual([{ rating: 'THUMBS_UP', content: null }])
    await role('button', 'Bad answer').click()
    const comment = role('textbox', 'What was wrong? (optional)')
    await expect.element(comment).toHaveFocus()
    await comment.fill('  Too long  ')
    await role('button', 'Save').click()
    await expect.element(text('Your comment: Too long')).toBeVisible()
    expect(told.at(-1)).toEqual({ rating: 'THUMBS_DOWN', content: 'Too long' })
    await expect.element(role('button', 'Bad answer')).toHaveFocus()
  },
)

story(
  'a rating that could not be saved says so, and Escape leaves the comment',
  () => (
    <Rating opinion={{ rating: 'THUMBS_DOWN', content: null }} onRate={() => Promise.reject(new Error('Offline'))} />
  ),
  async () => {
    await role('button', 'Good answer').click()
    await expect.element(text('Couldn’t save your rating: Offline')).toBeVisible()
    await role('button', 'Bad answer').click()
    await expect.element(role('textbox')).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(role('textbox')).not.toBeInTheDocument()
  },
)

const composer = (tell: Tell, change: object = {}) => (
  <Composer
    running={false}
    supports={{ images: true, sound: true }}
    onSend={(question, files) => tell([question, files.map(({ upload }) => upload.name)])}
    onStop={() => tell('stop')}
    {...change}
  />
)

story(
  'Enter sends a question, Shift+Enter begins a line, and nothing empty is sent',
  (tell) => composer(tell),
  async ({ told }) => {
    await expect.element(role('button', 'Send')).toBeDisabled()
    await role('textbox', 'Question').click()
    await userEvent.keyboard('   {Enter}')
    expect(told).toEqual([])
    await role('textbox', 'Question').fill('')
    await userEvent.keyboard('one{Shift>}{Enter}{/Shift}two{Enter}')
    expect(told).toEqual([['one\ntwo', []]])
    await expect.element(role('textbox', 'Question')).toHaveValue('')
  },
)

story(
  'a question that is too long says so and is not sent',
  (tell) => composer(tell, { maxCharacters: 5 }),
  async ({ told }) => {
    await role('textbox', 'Question').fill('123456')
    await expectWords(role('alert'), 'A question may have at most 5 characters.')
    await userEvent.keyboard('{Enter}')
    expect(told).toEqual([])
    await role('textbox', 'Question').fill('12345')
    await userEvent.keyboard('{Enter}')
    expect(told).toEqual([['12345', []]])
  },
)

story(
  'files go along with a question, and one can be taken out',
  (tell) => composer(tell),
  async ({ told }) => {
    const input = document.querySelector('input[type=file]') as HTMLInputElement
    await userEvent.upload(input, [
      new File(['a'], 'a.png', { type: 'image/png' }),
      new File(['b'], 'b.png', { type: 'image/png' }),
    ])
    await expect.element(role('list', 'Attached files')).toBeVisible()
    await role('button', 'Remove a.png').click()
    await expect.element(role('textbox', 'Question')).toHaveFocus()
    await role('button', 'Send').click()
    expect(told).toEqual([['', ['b.png']]])
    await expect.element(role('list', 'Attached files')).not.toBeInTheDocument()
  },
  { width: 'phone' },
)

story(
  'a run can be stopped, and no question is sent meanwhile',
  (tell) => composer(tell, { running: true }),
  async ({ told }) => {
    await role('textbox', 'Question').fill('next')
    await userEvent.keyboard('{Enter}')
    expect(told).toEqual([])
    await role('button', 'Stop run').click()
    expect(told).toEqual(['stop'])
    await expect.element(role('textbox', 'Question')).toHaveValue('next')
  },
)

const call = { tool: 'send_mail', toolInput: { to: 'ada@example.com', urgent: true } }
const action = (input: object, more: object = {}): HumanInputAction =>
  ({
    id: 'a1',
    mapping: { approve: 'Proceed', reject: 'Reject' },
    elements: [],
    data: { nodeId: 'n', nodeLabel: 'Review', input },
    ...more,
  }) as never

story(
  'an approval takes the focus, and sends the decision with the comment',
  (tell) => (
    <Approval
      shouldFocus
      action={action({ humanInputEnableFeedback: true })}
      question="Publish **this**?"
      busy={false}
      onAnswer={tell}
    />
  ),
  async ({ told }) => {
    await expect.element(role('group', 'Review needs your approval')).toHaveFocus()
    await expect.element(role('strong')).toHaveTextContent('this')
    await role('textbox', 'Comment (optional)').fill(' Looks good ')
    await role('button', 'Proceed').click()
    expect(told).toEqual([{ type: 'proceed', feedback: 'Looks good' }])
  },
)

story(
  'an approval without a comment sends none, and has no field for it',
  (tell) => <Approval action={action({})} question="Publish?" busy={false} onAnswer={tell} />,
  async ({ told }) => {
    expect(role('textbox').elements()).toEqual([])
    await role('button', 'Reject').click()
    expect(told).toEqual([{ type: 'reject' }])
  },
)

story(
  'a question for members has no buttons for an anonymous caller',
  (tell) => {
    const calls = '```json\n[\n  {\n    "id": "1",\n    "name": "pay"\n  }\n]\n```'
    const words = `Shall I pay?\n\n${calls}\n\nWaiting for the team to approve.`
    const change = { state: 'waiting', text: words, action: action({ approvers: 'members' }) } as const
    return <ChatLook value={{ ...MEMBER_LOOK, forMembers: false }}>{answerView(tell, change)}</ChatLook>
  },
  async () => {
    await expectWords(role('main'), 'Waiting for the team to approve.')
    expect(role('button', 'Proceed').elements()).toEqual([])
  },
)

story(
  'a member without the role that a question is for reads who is waited for, and an admin answers it',
  (tell) => {
    const input = { approvers: 'role', approverRole: 'Finance', humanInputEnableFeedback: false }
    return answerView(tell, { state: 'waiting', text: 'Shall I pay?', action: action(input) })
  },
  async () => {
    await expect.element(role('button', 'Proceed')).toBeVisible()
    session.isGlobal = false
    await expectWords(role('main'), 'Waiting for Finance to approve.')
    expect(role('button', 'Proceed').elements()).toEqual([])
    session.isGlobal = true
    await expect.element(role('button', 'Proceed')).toBeVisible()
  },
)

story(
  'a decision that is being sent cannot be made again',
  (tell) => <Approval action={action({})} question="Publish?" busy onAnswer={tell} />,
  async () => {
    await expect.element(role('button', 'Proceed')).toBeDisabled()
    await expect.element(role('button', 'Reject')).toBeDisabled()
  },
)

story(
  'a decision says what, by whom and when',
  () => (
    <Decision
      approval={{
        answer: { type: 'reject', feedback: 'Not to her', by: { kind: 'user', name: 'Grace' } },
        toolCalls: [call],
        at: new Date().toISOString(),
      }}
    />
  ),
  async () => {
    await expectWords(role('main'), 'by Grace')
    await expectWords(role('main'), 'Not to her')
    await expect.element(text('just now')).toBeVisible()
  },
)

story(
  'a form of the flow asks for each value in its kind',
  (tell) => (
    <FormInput
      disabled={false}
      form={{
        title: 'Order',
        description: 'What would you like?',
        fields: [
          { name: 'item', label: 'Item', type: 'string', options: [] },
          { name: 'count', label: 'Count', type: 'number', options: [] },
          { name: 'size', label: 'Size', type: 'options', options: ['S', 'L'] },
          { name: 'gift', label: 'As a gift', type: 'boolean', options: [] },
        ],
      }}
      onSend={tell}
    />
  ),
  async ({ told }) => {
    await expect.element(role('heading', 'Order')).toBeVisible()
    await role('textbox', 'Item').fill('Tea')
    await role('spinbutton', 'Count').fill('2')
    await role('combobox', 'Size').selectOptions('L')
    await tick(role('checkbox', 'As a gift'))
    await role('button', 'Send').click()
    expect(told).toEqual([{ item: 'Tea', count: 2, size: 'L', gift: true }])
  },
)

story(
  'a question shows its pictures and names its files',
  () => (
    <QuestionView
      question={'Look at\nthese'}
      files={[
        { upload: { name: 'dot.gif', mime: 'image/gif' } as never, src: DOT },
        { upload: { name: 'notes.txt', mime: 'text/plain' } as never },
        { upload: { name: 'data.csv', mime: 'text/csv' } as never, src: 'data:text/csv,a' },
      ]}
    />
  ),
  async () => {
    await expect.element(role('img', 'dot.gif')).toBeInTheDocument()
    await expect.element(text('notes.txt')).toBeVisible()
    await expect.element(role('link', 'data.csv')).toHaveAttribute('download', 'data.csv')
  },
)

const DOT = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

const turn = (id: string, change: Partial<Answer> = {}): Turn => ({
  id,
  question: `Question ${id}`,
  answer: answer({ text: `Answer ${id}`, ...change }),
})

const messages = (tell: Tell, change: Partial<MessageListProps>) => (
  <div style={{ display: 'flex', height: 400 }}>
    <MessageList
      turns={[]}
      loading={false}
      onReload={() => tell('reload')}
      empty={<p>Say hello.</p>}
      starters={[]}
      onStart={tell}
      running={false}
      onRetry={({ id }) => tell(`retry ${id}`)}
      onAnswer={() => {}}
      onRate={async () => {}}
      {...change}
    />
  </div>
)

story(
  'a new conversation offers questions to begin with',
  (tell) => messages(tell, { starters: ['What can you do?', `A very long question ${'and so on '.repeat(20)}`] }),
  async ({ told }) => {
    await expect.element(text('Say hello.')).toBeVisible()
    await role('button', 'What can you do?').click()
    expect(told).toEqual(['What can you do?'])
  },
  { width: 'phone' },
)

story(
  'a conversation that could not load can be tried again',
  (tell) => messages(tell, { loadError: 'Offline' }),
  async ({ told }) => {
    await expect.element(text('Couldn’t load the conversation: Offline')).toBeVisible()
    expect(text('Say hello.').elements()).toEqual([])
    await role('button', 'Try again').click()
    expect(told).toEqual(['reload'])
  },
)

story(
  'questions and answers stand in order, with follow-ups of the last one',
  (tell) => messages(tell, { turns: [turn('1', { followUps: ['old'] }), turn('2', { followUps: ['And then?'] })] }),
  async ({ told }) => {
    await expectWords(role('log', 'Messages'), 'Question 1')
    const words = role('log', 'Messages').element().textContent ?? ''
    const at = ['Question 1', 'Answer 1', 'Question 2', 'Answer 2', 'And then?'].map((each) => words.indexOf(each))
    expect(at.toSorted((a, b) => a - b)).toEqual(at)
    expect(at[0]).toBeGreaterThanOrEqual(0)
    expect(role('button', 'old').elements()).toEqual([])
    await role('button', 'And then?').click()
    expect(told).toEqual(['And then?'])
  },
)

story(
  'follow-ups wait while a run is in progress',
  (tell) => messages(tell, { running: true, turns: [turn('1', { followUps: ['And then?'] })] }),
  async () => {
    await expectWords(role('log', 'Messages'), 'Question 1')
    expect(role('button', 'And then?').elements()).toEqual([])
  },
)

story(
  'somebody who has scrolled up can jump to the latest message',
  (tell) => messages(tell, { turns: Array.from({ length: 20 }, (_, index) => turn(`${index}`)) }),
  async () => {
    const log = role('log', 'Messages').element()
    const isAtEnd = () => log.scrollTop + log.clientHeight >= log.scrollHeight - 2
    await expect.poll(isAtEnd).toBe(true)
    log.scrollTop = 0
    await role('button', 'Jump to latest').click()
    await expect.poll(isAtEnd).toBe(true)
    await expect.element(role('button', 'Jump to latest')).not.toBeInTheDocument()
  },
)

/** Hands over what replaces its text, and returns when that is drawn. */
function GrowingText({ tell }: { tell: Tell }) {
  const [text, setText] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => void tell((next: string) => flushSync(() => setText(next))), [])
  return <Markdown text={text} />
}

story(
  'a long answer costs about as much for each new piece as a short one',
  (tell) => <GrowingText tell={tell} />,
  async ({ told }) => {
    await expect.poll(() => told.length).toBe(1)
    const draw = told[0] as (text: string) => void
    const paragraphs = Array.from({ length: 80 }, (_, index) => `${index} ${'**bold** and `code`, '.repeat(60)}\n\n`)
    const cost = (from: number, to: number) => {
      draw(paragraphs.slice(0, from).join(''))
      const begun = performance.now()
      for (let count = from + 1; count <= to; count++) draw(paragraphs.slice(0, count).join(''))
      return performance.now() - begun
    }
    const least = (measure: () => number) => Math.min(...Array.from({ length: 3 }, measure))
    cost(0, 10)
    // Parsing all of it for each piece costs about ten times as much.
    expect(least(() => cost(70, 80))).toBeLessThan(4 * least(() => cost(2, 12)))
    draw(paragraphs.slice(0, 2).join(''))
    await expectWords(role('main'), '1 bold and code')
  },
)
