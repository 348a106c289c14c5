import { Held } from '../../workshop/Held.tsx'
import { expect, expectWords, page, role, story } from '../../workshop/story.tsx'
import { MonthDayButtons, WeekdayButtons } from './DayButtons.tsx'
import type { MonthDay } from './days.ts'
import { TimingFields } from './TimingFields.tsx'
import { newTiming, type TimingDraft } from './timing.ts'

story(
  'days of the week are switched on and off by name',
  (tell) => (
    <Held initial={[1]} tell={tell}>
      {(days, change) => <WeekdayButtons label="Weekdays" days={days} onChange={change} />}
    </Held>
  ),
  async ({ told }) => {
    await expect.element(role('button', 'Monday')).toHaveAttribute('aria-pressed', 'true')
    await role('button', 'Wednesday').click()
    await role('button', 'Monday').click()
    expect(told.at(-1)).toEqual([3])
    expect(role('group', 'Weekdays').element().querySelectorAll('button')).toHaveLength(7)
  },
)

story(
  'the last day of the month is a day of its own',
  (tell) => (
    <Held<MonthDay[]> initial={[1]} tell={tell}>
      {(days, change) => <MonthDayButtons label="Days" days={days} onChange={change} />}
    </Held>
  ),
  async ({ told }) => {
    await role('button', 'Last day of the month').click()
    expect(told).toEqual([[1, 'L']])
    await expect.element(role('button', 'Day 1')).toHaveAttribute('aria-pressed', 'true')
    await expect.element(role('button', 'Day 2')).toHaveAttribute('aria-pressed', 'false')
  },
  { width: 'phone' },
)

const timing = (tell: (value: unknown) => void, change: Partial<TimingDraft> = {}, errors = {}) => (
  <Held initial={{ ...newTiming('UTC'), ...change }} tell={tell}>
    {(draft, set) => <TimingFields draft={draft} errors={errors} set={(next) => set({ ...draft, ...next })} />}
  </Held>
)

const runs = () => page.getByRole('status', { name: 'Next runs' })

story(
  'a schedule shows its next runs while it is made',
  (tell) => timing(tell, { frequency: 'weekly', weekdays: [1], time: '09:30' }),
  async () => {
    await expect.poll(() => runs().query()?.querySelectorAll('li').length).toBe(5)
    await expectWords(runs(), 'Mon')
    await role('button', 'Tuesday').click()
    await expectWords(runs(), 'Tue')
  },
)

story(
  'a schedule without a day says what is missing in place of its runs',
  (tell) => timing(tell, { frequency: 'weekly', weekdays: [] }, { cron: 'Choose a day.' }),
  async () => {
    await expectWords(role('main'), 'Choose a day.')
    expect(runs().query()).toBeNull()
    await expect.element(role('status').first()).toBeVisible()
  },
)

story(
  'writing cron begins with the days and times that were picked',
  (tell) => timing(tell, { frequency: 'weekly', weekdays: [1, 3], time: '09:30' }),
  async ({ told }) => {
    await role('combobox').first().selectOptions(['cron'])
    const last = told.at(-1) as TimingDraft
    expect([last.by, last.cron]).toEqual(['cron', '30 9 * * 1,3'])
    await expect
      .poll(() =>
        page
          .getByRole('textbox')
          .elements()
          .some((each) => (each as HTMLInputElement).value === '30 9 * * 1,3'),
      )
      .toBe(true)
  },
)
