import { expect, expectWords, role, story, userEvent } from '../../workshop/story.tsx'
import { SecretDialog } from './SecretDialog.tsx'

const dialog = (tell: (value: unknown) => void, hasSecret = false) => (
  <SecretDialog
    trigger={{ id: 't1', hasSecret, settings: { kind: 'schedule' } } as never}
    onGenerated={tell}
    onClose={() => tell('closed')}
  />
)

const answers = { 'POST /triggers/*/secret': { secret: 'made-here' } }

story(
  'a secret is generated and handed over to be shown once',
  (tell) => dialog(tell),
  async ({ told }) => {
    await expect.element(role('dialog', 'Set secret')).toBeVisible()
    await role('button', 'Generate secret').click()
    await expect.poll(() => told).toEqual(['closed', 'made-here'])
  },
  { answers },
)

story(
  'the secret of a sender must be long enough, and is not shown again',
  (tell) => dialog(tell, true),
  async ({ told, sent }) => {
    await expect.element(role('dialog', 'Replace secret')).toBeVisible()
    await role('combobox', 'Source').selectOptions(['sender'])
    await role('button', 'Save secret').click()
    await expectWords(role('dialog'), 'Enter at least 8 characters.')
    await userEvent.fill(document.querySelector('input[type=password]') as Element, ' sender-secret ')
    await role('button', 'Save secret').click()
    await expect.poll(() => told).toEqual(['closed'])
    expect(sent[0]?.body).toEqual({ secret: 'sender-secret', overlapHours: 24 })
  },
  { answers },
)
