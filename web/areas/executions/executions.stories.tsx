import type { TraceItem } from '#contract/runs/events.ts'
import type { ExecutionSummary } from '#contract/runs/executions.ts'
import { expect, expectWords, page, refusal, role, story, text, tick, userEvent } from '../../workshop/story.tsx'
import { ExecutionActions } from './ExecutionActions.tsx'
import { ExecutionsPage } from './ExecutionsPage.tsx'
import { ExecutionView } from './ExecutionView.tsx'
import type { ExecutionFilters } from './search.ts'

const run = (id: string, change: Partial<ExecutionSummary> = {}): ExecutionSummary => ({
  id,
  agentflowId: 'f1',
  agentflow: { id: 'f1', name: 'Support', type: 'AGENTFLOW' },
  flowVersion: 1,
  sessionId: 's1',
  chatId: 'c1',
  chatType: 'EXTERNAL',
  trigger: null,
  question: `Question ${id}`,
  answer: `Answer ${id}`,
  state: 'FINISHED',
  error: null,
  endedBy: null,
  action: null,
  isPublic: false,
  isStarred: false,
  replayOf: null,
  replayFrom: null,
  parentExecutionId: null,
  totalTokens: 1234,
  totalCost: null,
  duration: 1500,
  createdDate: '2026-01-01T00:00:00.000Z',
  updatedDate: '2026-01-01T00:00:00.000Z',
  stoppedDate: null,
  workspaceId: 'w1',
  ...change,
})

const executions = (tell: (value: unknown) => void, filters: ExecutionFilters = {}, at = 1) => (
  <ExecutionsPage filters={filters} page={at} onChange={(changed, next) => tell([changed, next])} />
)

const list = (...data: ExecutionSummary[]) => ({
  'GET /executions': { data, total: data.length },
  'GET /workspace/retention': { keepDays: null },
})

story(
  'a run shows its question, answer, source and what it took',
  (tell) => executions(tell),
  async () => {
    const row = page.getByRole('row', { name: /Question a/ })
    for (const words of ['Support · Answer a', 'API', '1.2k', '1.5 s', '–']) await expectWords(row, words)
    await expect.element(role('link', 'Question a')).toHaveAttribute('href', '/executions/a')
    await expectWords(page.getByRole('row', { name: /City: Ulm, Days: 3/ }), 'Nightly')
    await expectWords(page.getByRole('row', { name: /Question c/ }), 'The model was busy')
  },
  {
    answers: list(
      run('a'),
      run('b', { question: '{"City":"Ulm","Days":3}', trigger: { id: 't1', name: 'Nightly' } }),
      run('c', { state: 'ERROR', error: 'The model was busy' }),
    ),
  },
)

for (const width of ['desktop', 'phone'] as const)
  story(
    `a run opens from anywhere in its row on a ${width}, but its trigger and its checkbox keep their own`,
    (tell) => executions(tell),
    async ({ path }) => {
      await tick(role('checkbox', 'Select the run Question a'))
      await expect.element(role('checkbox', 'Select the run Question a')).toBeChecked()
      const at = path()
      const trigger = page
        .getByRole('link', { name: 'Nightly' })
        .elements()
        .find((link) => link.checkVisibility())
      await userEvent.click(trigger as HTMLElement)
      await expect.poll(path).toBe('/triggers/t1')
      expect(path()).not.toBe(at)
      await page.getByRole('row', { name: /Question a/ }).click()
      await expect.poll(path).toBe('/executions/a')
    },
    { answers: list(run('a', { trigger: { id: 't1', name: 'Nightly' } })), width },
  )

story(
  'without runs the page leads to the flows',
  (tell) => executions(tell),
  async () => {
    await expect.element(role('heading', 'No executions yet')).toBeVisible()
    await expect.element(role('link', 'Open agent flows')).toHaveAttribute('href', '/agentflows')
  },
  { answers: list() },
)

story(
  'filters without a hit can be cleared',
  (tell) => executions(tell, { state: 'ERROR', agentflowName: 'x' }),
  async ({ told, sent }) => {
    await expect.element(role('heading', 'No executions match these filters')).toBeVisible()
    await expect.element(role('button', 'Filters (1)')).toHaveAttribute('aria-expanded', 'true')
    await role('button', 'Clear filters').last().click()
    expect(told).toEqual([[{}, 1]])
    expect(sent[0]?.query).toEqual({ state: 'ERROR', agentflowName: 'x', page: '1', limit: '20' })
  },
  { answers: list() },
)

story(
  'a filter keeps the others and begins at the first page',
  (tell) => executions(tell, { agentflowName: 'Support' }, 3),
  async ({ told }) => {
    await expect.element(role('textbox', 'Flow')).toHaveValue('Support')
    await role('button', 'Filters').click()
    await role('combobox', 'Status').selectOptions('Finished')
    await tick(role('checkbox', 'Starred'))
    await role('textbox', 'Flow').fill('')
    await userEvent.keyboard('{Enter}')
    expect(told).toEqual([
      [{ agentflowName: 'Support', state: 'FINISHED' }, 1],
      [{ agentflowName: 'Support', isStarred: true }, 1],
      [{ agentflowName: undefined }, 1],
    ])
  },
  { answers: list(run('a')) },
)

story(
  'more runs than a page holds have pages, counted as far as anyone counts',
  (tell) => executions(tell, {}, 2),
  async ({ told }) => {
    await expect.element(text('Page 2 of 3')).toBeVisible()
    await role('button', 'Older').click()
    await role('button', 'Newer').click()
    expect(told).toEqual([
      [{}, 3],
      [{}, 1],
    ])
  },
  { answers: { ...list(run('a')), 'GET /executions': { data: [run('a')], total: 41 } } },
)

story(
  'two selected runs are compared, the older one first',
  (tell) => executions(tell),
  async ({ path }) => {
    await expect.element(text('Select two runs to compare, or any number to delete.')).toBeVisible()
    await tick(role('checkbox', 'Select the run Question new'))
    await expect.element(text('1 selected')).toBeVisible()
    expect(role('link', 'Compare').elements()).toEqual([])
    await tick(role('checkbox', 'Select the run Question old'))
    await role('link', 'Compare').click()
    await expect.poll(path).toBe('/executions/compare?a=old&b=new')
  },
  { answers: list(run('new'), run('old')) },
)

story(
  'selected runs are deleted after a question, and those with a star are kept',
  (tell) => executions(tell),
  async ({ sent }) => {
    await tick(role('checkbox', 'Select all on this page'))
    await role('button', 'Delete').click()
    await expectWords(role('alertdialog'), 'Delete these 2 executions?')
    await expectWords(role('alertdialog'), 'starred executions are kept')
    await role('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect.element(text('1 starred execution kept. Remove the star to delete.')).toBeVisible()
    expect(sent.find(({ call }) => call === 'DELETE /executions')?.body).toEqual({ executionIds: ['a', 'b'] })
    await expect.element(text(/^Select two runs/)).toBeVisible()
  },
  { answers: { ...list(run('a'), run('b', { isStarred: true })), 'DELETE /executions': { keptCount: 1 } } },
)

story(
  'only runs with a star selected are not deleted, and nobody is asked',
  (tell) => executions(tell),
  async ({ sent }) => {
    await tick(role('checkbox', 'Select the run Question b'))
    await role('button', 'Delete').click()
    await expect.element(text('1 starred execution kept. Remove the star to delete.')).toBeVisible()
    expect(sent.filter(({ call }) => call.startsWith('DELETE'))).toEqual([])
  },
  { answers: list(run('b', { isStarred: true })) },
)

story(
  'a star is set at once, and taken back when it could not be saved',
  (tell) => executions(tell),
  async ({ sent }) => {
    const star = role('button', 'Star the run of Support')
    await expect.element(star).toHaveAttribute('aria-pressed', 'false')
    await star.click()
    await expect.element(text('Couldn’t change the star: It is gone')).toBeVisible()
    await expect.element(star).toHaveAttribute('aria-pressed', 'false')
    expect(sent.find(({ call }) => call === 'PUT /executions/a')?.body).toEqual({ isStarred: true })
  },
  { answers: { ...list(run('a')), 'PUT /executions/*': refusal(404, 'It is gone') } },
)

story(
  'somebody who may only look compares, and neither stars nor deletes',
  (tell) => executions(tell),
  async () => {
    await expect.element(text('Select two runs to compare.')).toBeVisible()
    await tick(role('checkbox', 'Select the run Question a'))
    await expect.element(text('1 selected')).toBeVisible()
    expect(role('button', 'Delete').elements()).toEqual([])
    expect(role('button', /^Star/).elements()).toEqual([])
  },
  { answers: list(run('a')), can: ['executions:view'], width: 'phone' },
)

story(
  'the page says how long the workspace keeps runs',
  (tell) => executions(tell),
  async () => {
    await expectWords(role('main'), '90 days')
  },
  { answers: { ...list(run('a')), 'GET /workspace/retention': { keepDays: 90 } } },
)

story(
  'runs are kept for as many days as somebody enters, or for ever',
  (tell) => executions(tell),
  async ({ sent }) => {
    await role('button', 'Retention').click()
    const days = role('spinbutton', 'Days')
    await expect.element(days).toHaveValue(90)
    await days.fill('0')
    await role('button', 'Save').click()
    await expect.element(text('Enter a number from 1 to 3650, or leave it empty.')).toBeVisible()
    await days.fill('')
    await role('button', 'Save').click()
    await expect.element(text('Retention saved')).toBeVisible()
    expect(role('main').element().textContent).not.toContain('days')
    expect(sent.find(({ call }) => call.startsWith('PUT'))?.body).toEqual({ keepDays: null })
  },
  {
    answers: {
      ...list(run('a')),
      'GET /workspace/retention': { keepDays: 90 },
      'PUT /workspace/retention': { keepDays: null },
    },
    width: 'phone',
  },
)

story(
  'who may not change the workspace only reads how long runs are kept',
  (tell) => executions(tell),
  async () => {
    await expectWords(role('main'), '90 days')
    expect(role('button', 'Retention').elements()).toEqual([])
  },
  {
    answers: { ...list(run('a')), 'GET /workspace/retention': { keepDays: 90 } },
    can: ['executions:view', 'workspace:view'],
  },
)

const waitingStep = (nodeLabel: string, input: object): TraceItem =>
  ({
    nodeId: nodeLabel,
    nodeLabel,
    previousNodeIds: [],
    status: 'STOPPED',
    path: nodeLabel,
    data: {
      id: nodeLabel,
      name: 'humanInputAgentflow',
      output: {
        content: 'May I pay?',
        humanInputAction: {
          id: nodeLabel,
          mapping: { approve: 'Proceed', reject: 'Reject' },
          elements: [],
          data: { nodeId: nodeLabel, nodeLabel, path: nodeLabel, input },
        },
      },
    },
  }) as TraceItem

const stopped = (...steps: TraceItem[]) => ({
  ...run('a', { state: 'STOPPED' }),
  executionData: JSON.stringify(steps),
  approvals: [],
})

const waitingRun = (tell: (step: string) => void, ...steps: TraceItem[]) => (
  <ExecutionView execution={stopped(...steps)} flowId="f1" step={undefined} onStep={tell} />
)

const ofFinance = waitingStep('Payments', { approvers: 'role', approverRole: 'Finance' })

story(
  'a run that waits for others says for whom, without a way to answer',
  (tell) => waitingRun(tell, ofFinance),
  async () => {
    await expect.element(text('Waiting for Finance to approve.').first()).toBeVisible()
    expect(role('button', /Review|Proceed/).elements()).toEqual([])
  },
  { can: ['executions:view', 'agentflows:view'] },
)

story(
  'a run with questions for several people leads to the one that the member may answer',
  (tell) => waitingRun(tell, ofFinance, waitingStep('Editor', { approvers: 'members' })),
  async ({ told }) => {
    await expect.element(text('Editor needs your approval.')).toBeVisible()
    await role('button', 'Review').click()
    expect(told).toEqual(['Editor'])
  },
  { can: ['executions:view', 'agentflows:view'] },
)

story(
  'the link of a run that waits for members is not said to let anyone answer',
  () => <ExecutionActions execution={stopped(ofFinance)} />,
  async () => {
    await expect.element(text('Let anyone with the link view. Only members can answer.')).toBeVisible()
  },
  { can: ['executions:update'] },
)
