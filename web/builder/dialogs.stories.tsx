import { Held } from '../workshop/Held.tsx'
import { expect, expectWords, never, refusal, role, story, text } from '../workshop/story.tsx'
import { LimitFields } from './limits/LimitFields.tsx'
import { LIMIT_FIELDS, type LimitTexts } from './limits/limit-texts.ts'
import { RenameDialog } from './RenameDialog.tsx'
import { NoteDialog } from './versions/NoteDialog.tsx'

const flow = { id: 'f1', name: 'Support', type: 'CHATFLOW' } as never

story(
  'a flow gets another name, without the spaces around it',
  (tell) => <RenameDialog flow={flow} onClose={() => tell('closed')} />,
  async ({ told, sent }) => {
    await expect.element(role('textbox', 'Name')).toHaveFocus()
    await expect.element(role('textbox', 'Name')).toHaveValue('Support')
    await role('textbox', 'Name').fill(' ')
    await role('button', 'Rename').click()
    await expect.element(text('Enter a name.')).toBeVisible()
    expect(sent).toEqual([])
    await role('textbox', 'Name').fill(' Sales ')
    await role('button', 'Rename').click()
    await expect.poll(() => told).toEqual(['closed'])
    expect(sent[0]).toMatchObject({ call: 'PUT /chatflows/f1', body: { name: 'Sales' } })
  },
  { answers: { 'PUT /chatflows/*': {} } },
)

story(
  'a name that the server refuses is said in the dialog, which stays',
  (tell) => <RenameDialog flow={flow} onClose={() => tell('closed')} />,
  async ({ told }) => {
    await role('textbox', 'Name').fill('Sales')
    await role('button', 'Rename').click()
    await expectWords(role('dialog'), 'There is one already.')
    expect(told).toEqual([])
  },
  { answers: { 'PUT /chatflows/*': refusal(409, 'name: There is one already', { field: 'name' }) } },
)

story(
  'a dialog that is being sent shows that it works',
  (tell) => <RenameDialog flow={flow} onClose={() => tell('closed')} />,
  async () => {
    await role('textbox', 'Name').fill('Sales')
    await role('button', 'Rename').click()
    await expect.element(role('button', /Rename/)).toBeDisabled()
  },
  { answers: { 'PUT /chatflows/*': never }, width: 'phone' },
)

story(
  'a note of a version is kept without the spaces around it, and may be empty',
  (tell) => (
    <NoteDialog
      title="Note of version 3"
      submit="Save"
      note="Old"
      onSubmit={async (note) => tell(note)}
      onClose={() => tell('closed')}
    />
  ),
  async ({ told }) => {
    await expect.element(role('textbox', 'Note')).toHaveValue('Old')
    await role('textbox', 'Note').fill('  Kinder answers ')
    await role('button', 'Save').click()
    await expect.poll(() => told).toEqual(['Kinder answers', 'closed'])
  },
)

const none = Object.fromEntries(LIMIT_FIELDS.map(({ name }) => [name, ''])) as unknown as LimitTexts
const [first] = LIMIT_FIELDS

story(
  'a limit is typed, and an empty field says that there is none',
  (tell) => (
    <Held<Partial<LimitTexts>> initial={{}} tell={tell}>
      {(changed, change) => (
        <LimitFields
          title="Of this flow"
          about="A run that reaches one ends."
          values={{ ...none, ...changed }}
          errors={{ [`limits.${first?.name}`]: 'Enter a number.' }}
          prefix="limits"
          onChange={change}
        />
      )}
    </Held>
  ),
  async ({ told }) => {
    await expect.element(role('group', 'Of this flow')).toBeVisible()
    const field = role('textbox', first?.label)
    await expect.element(field).toHaveAttribute('placeholder', 'No limit')
    await expect.element(field).toBeInvalid()
    await expect.element(text('Enter a number.')).toBeVisible()
    await field.fill('10')
    expect(told).toEqual([{ [first?.name as string]: '10' }])
    expect(role('textbox').elements()).toHaveLength(LIMIT_FIELDS.length)
  },
)

story(
  'somebody who may not change limits reads them',
  (tell) => (
    <LimitFields
      readOnly
      title="Of the workspace"
      about="Set by an admin."
      values={none}
      errors={{}}
      prefix="workspace"
      helpOf={(_, unit) => `Counted in ${unit}`}
      onChange={tell}
    />
  ),
  async () => {
    for (const field of role('textbox').elements()) expect(field).toHaveAttribute('readonly')
    expect(text(/^Counted in/).elements()).toHaveLength(LIMIT_FIELDS.length)
  },
)
