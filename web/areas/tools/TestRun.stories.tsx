import { expect, expectWords, page, refusal, role, story, text } from '../../workshop/story.tsx'
import { TestRun } from './TestRun.tsx'

const parameters = [{ property: 'city', type: 'string', description: 'Where', required: true }] as never

story(
  'a tool is run with arguments made of its parameters, and shows what it returns and logs',
  () => <TestRun parameters={parameters} func="return 4" />,
  async ({ sent }) => {
    await role('button', 'Run').click()
    await expectWords(page.getByLabelText('Result', { exact: true }), '"sum": 4')
    await expectWords(page.getByLabelText('Console', { exact: true }), 'began')
    const test = sent[0]
    expect(test).toMatchObject({ call: 'POST /tools/test', body: { func: 'return 4' } })
    expect(test?.body).toHaveProperty('arguments.city')
  },
  { answers: { 'POST /tools/test': { result: { sum: 4 }, error: null, logs: ['began'] } } },
)

story(
  'a tool that throws shows its error',
  () => <TestRun parameters={parameters} func="throw 1" />,
  async () => {
    await role('button', 'Run').click()
    await expectWords(role('alert'), 'city is not a place')
    expect(page.getByLabelText('Result', { exact: true }).elements()).toEqual([])
  },
  { answers: { 'POST /tools/test': { result: null, error: 'city is not a place', logs: [] } } },
)

story(
  'a test that the server refuses says why',
  () => <TestRun parameters={parameters} func="return 4" />,
  async () => {
    await role('button', 'Run').click()
    await expectWords(role('alert'), 'Too many tests.')
    await expect.element(text(/^Took \d+ ms/)).toBeVisible()
  },
  { answers: { 'POST /tools/test': refusal(429, 'Too many tests') }, width: 'phone' },
)

story(
  'a tool without code cannot be run',
  () => <TestRun parameters={parameters} func="  " />,
  async () => {
    await expect.element(role('button', 'Run')).toBeDisabled()
  },
)
