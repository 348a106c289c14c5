import { expect, expectWords, refusal, role, story } from '../../workshop/story.tsx'
import { ConversationSecret } from './ConversationSecret.tsx'

const PATH = '/chatflows/*/conversation-secret'
const show = () => <ConversationSecret flowId="f1" />

story(
  'a conversation secret is created, shown once, and comes with code that signs',
  show,
  async ({ sent }) => {
    await role('button', 'Create conversation secret').click()
    await expect.element(role('textbox', 'Conversation secret')).toHaveValue('made-here')
    await expectWords(role('region', 'Signed sessions'), 'Copy the secret now')
    expect(sent.at(-1)?.call).toBe('POST /chatflows/f1/conversation-secret')
    await role('button', 'Python').click()
    await expectWords(role('region', 'Signed sessions'), 'hexdigest')
  },
  { answers: { [`GET ${PATH}`]: { exists: false }, [`POST ${PATH}`]: { secret: 'made-here' } } },
)

story(
  'a stored conversation secret is not shown, and says what a new one does',
  show,
  async () => {
    await expect.element(role('button', 'Replace conversation secret')).toBeVisible()
    await expectWords(role('region', 'Signed sessions'), 'signatures by the old one are refused')
  },
  { answers: { [`GET ${PATH}`]: { exists: true } }, width: 'phone' },
)

story(
  'a conversation secret that cannot be read says why, and can be asked for again',
  show,
  () => expect.element(role('button', 'Try again')).toBeVisible(),
  { answers: { [`GET ${PATH}`]: refusal(404, 'Flow f1 not found') } },
)
