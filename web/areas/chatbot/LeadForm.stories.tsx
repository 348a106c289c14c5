import { expect, expectWords, role, story } from '../../workshop/story.tsx'
import { LeadForm } from './LeadForm.tsx'

const settings = { status: true, title: 'Who are you?', name: true, email: true, phone: false } as never

story(
  'a visitor is asked for what the owner wants, and nothing else',
  (tell) => <LeadForm settings={settings} onLeave={async (lead) => tell(lead)} onSkip={() => tell('skipped')} />,
  async ({ told }) => {
    expect(role('textbox').elements()).toHaveLength(2)
    await role('textbox', 'Name').fill(' Ada ')
    await role('textbox', 'Email').fill('ada@example.com')
    await role('button', 'Start chat').click()
    await expect.poll(() => told).toEqual([{ name: 'Ada', email: 'ada@example.com' }])
  },
)

story(
  'a visitor who leaves a field empty is told which, and may skip all',
  (tell) => <LeadForm settings={settings} onLeave={async (lead) => tell(lead)} onSkip={() => tell('skipped')} />,
  async ({ told }) => {
    await role('textbox', 'Name').fill('Ada')
    await role('textbox', 'Email').fill('  ')
    await role('button', 'Start chat').click()
    await expectWords(role('main'), 'Enter your email.')
    await expect.element(role('textbox', 'Email')).toBeInvalid()
    await expect.element(role('textbox', 'Name')).not.toBeInvalid()
    await role('button', 'Skip').click()
    expect(told).toEqual(['skipped'])
  },
  { width: 'phone' },
)
