import { expect, expectWords, page, role, story } from '../../workshop/story.tsx'
import { TriggerFacts } from './TriggerFacts.tsx'

const schedule = (input: object) => ({
  kind: 'schedule',
  cron: '0 9 * * *',
  timezone: 'UTC',
  endDate: null,
  overlap: 'skip',
  missed: 'skip',
  jitterSeconds: 0,
  input,
})

const facts = (input: object, change: object = {}) => (
  <TriggerFacts
    trigger={
      {
        id: 't1',
        flow: { id: 'f', name: 'Flow', type: 'AGENTFLOW' },
        kind: 'schedule',
        settings: schedule(input),
        state: 'active',
        succeeded: 3,
        dead: 1,
        skipped: 0,
        refused: 0,
        p95: 1500,
        cost: null,
        ...change,
      } as never
    }
  />
)

story(
  'a schedule shows its next runs, the text that it sends and how it went',
  () => facts({ mode: 'text', text: 'Write the report' }),
  async () => {
    await expect.element(role('heading', 'Next runs')).toBeVisible()
    await expect
      .poll(() => page.getByRole('status', { name: 'Next runs' }).element().querySelectorAll('li'))
      .toHaveLength(5)
    await expectWords(role('main'), 'Write the report')
    await expectWords(role('main'), '75')
    await expectWords(role('main'), '1.5 s')
  },
)

story(
  'a schedule with a form shows its values',
  () => facts({ mode: 'form', form: { city: 'Oslo' } }, { state: 'paused' }),
  async () => {
    await expect.element(role('heading', 'Schedule')).toBeVisible()
    await expectWords(role('main'), '"city": "Oslo"')
  },
)

story(
  'a schedule that sends nothing shows no input',
  () => facts({ mode: 'none' }),
  async () => {
    await expect.element(role('heading', 'Next runs')).toBeVisible()
    expect(document.querySelector('main pre')).toBeNull()
  },
  { width: 'phone' },
)
