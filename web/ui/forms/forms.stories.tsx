import { Button, Input } from '@chakra-ui/react'
import { useState } from 'react'
import { Held } from '../../workshop/Held.tsx'
import { expect, expectWords, role, story, text, tick, userEvent } from '../../workshop/story.tsx'
import { RowMenu } from '../lists/RowMenu.tsx'
import { FilePicker } from './FilePicker.tsx'
import { Field, Form } from './Form.tsx'
import { FormDialog } from './FormDialog.tsx'
import { AdvancedSection, Choice, choicesOf, FieldRow, TextField, Toggle } from './fields.tsx'
import { fieldErrors } from './form-errors.ts'
import { PasswordInput } from './PasswordInput.tsx'
import { PermissionTicks } from './PermissionTicks.tsx'
import { SecretField } from './SecretField.tsx'
import { Tick } from './Tick.tsx'
import { useForm } from './use-form.ts'

interface Person {
  name: string
  email: string
}

interface PersonFormProps {
  tell: (value: unknown) => void
  send?: () => Promise<void>
}

function usePerson({ tell, send }: PersonFormProps) {
  return useForm<Person>({
    initial: { name: '', email: '' },
    check: ({ name, email }) =>
      fieldErrors({ name: name === '' && 'Enter a name.', email: !email.includes('@') && 'Enter an email address.' }),
    send: async (person) => {
      tell(person)
      await send?.()
    },
  })
}

function PersonFields({ form: { values, errors, set } }: { form: ReturnType<typeof usePerson> }) {
  return (
    <>
      <Field required label="Name" help="As others see it." error={errors.fields.name}>
        <Input value={values.name} onChange={(event) => set({ name: event.target.value })} />
      </Field>
      <Field label="Email" error={errors.fields.email}>
        <Input value={values.email} onChange={(event) => set({ email: event.target.value })} />
      </Field>
    </>
  )
}

function PersonForm(props: PersonFormProps) {
  const form = usePerson(props)
  return (
    <Form onSubmit={form.submit} summary={form.errors.summary}>
      <PersonFields form={form} />
      <Button type="submit" loading={form.busy} loadingText="Saving">
        Save
      </Button>
    </Form>
  )
}

story(
  'a form sums up what is wrong and leads to the first field that is',
  (tell) => <PersonForm tell={tell} />,
  async ({ told }) => {
    await role('button', 'Save').click()
    await expectWords(role('alert'), 'Enter a name. Enter an email address.')
    await expect.element(role('textbox', /Name/)).toHaveFocus()
    await expect.element(role('textbox', /Name/)).toBeInvalid()
    await expect.element(text('Enter an email address.')).toBeVisible()
    expect(told).toEqual([])
  },
)

story(
  'an error leaves as soon as its field is mended, and no new one appears while typing',
  (tell) => <PersonForm tell={tell} />,
  async () => {
    await role('button', 'Save').click()
    await role('textbox', 'Email').fill('ada@example.com')
    await expect.element(text('Enter an email address.')).not.toBeInTheDocument()
    await expect.element(role('textbox', 'Email')).not.toBeInvalid()
    await expect.element(text('Enter a name.')).toBeVisible()
    await role('textbox', /Name/).fill('Ada')
    await expect.element(text('Enter a name.')).not.toBeInTheDocument()
    await role('textbox', /Name/).fill('')
    expect(text('Enter a name.').elements()).toEqual([])
  },
)

story(
  'a form with one wrong field says it there, and not twice',
  (tell) => <PersonForm tell={tell} />,
  async () => {
    await role('textbox', 'Email').fill('ada@example.com')
    await role('button', 'Save').click()
    await expect.element(text('Enter a name.')).toBeVisible()
    expect(
      role('alert')
        .elements()
        .filter((each) => each.textContent?.includes('Fix the following')),
    ).toEqual([])
  },
)

story(
  'Enter in a field and Ctrl+Enter anywhere send the form',
  (tell) => <PersonForm tell={tell} />,
  async ({ told }) => {
    await role('textbox', /Name/).fill('Ada')
    await role('textbox', 'Email').fill('ada@example.com')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => told).toEqual([{ name: 'Ada', email: 'ada@example.com' }])
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(() => told.length).toBe(2)
  },
)

story(
  'a refusal of the server stands at the field that it names',
  (tell) => (
    <PersonForm
      tell={tell}
      send={() => Promise.reject(Object.assign(new Error('email: is taken'), { field: 'email' }))}
    />
  ),
  async () => {
    await role('textbox', /Name/).fill('Ada')
    await role('textbox', 'Email').fill('ada@example.com')
    await role('button', 'Save').click()
    await expect.element(text('is taken.')).toBeVisible()
    await expect.element(role('textbox', 'Email')).toHaveFocus()
  },
)

story(
  'a form that is being sent is not sent again',
  (tell) => <PersonForm tell={tell} send={() => new Promise(() => {})} />,
  async ({ told }) => {
    await role('textbox', /Name/).fill('Ada')
    await role('textbox', 'Email').fill('ada@example.com')
    await role('button', 'Save').click()
    await expect.element(role('button', /Saving/)).toBeDisabled()
    await role('textbox', 'Email').click()
    await userEvent.keyboard('{Enter}')
    expect(told).toHaveLength(1)
  },
)

function PersonDialog(props: PersonFormProps) {
  const form = usePerson(props)
  return (
    <FormDialog title="New person" submit="Create" form={form} onClose={() => props.tell('closed')}>
      <PersonFields form={form} />
    </FormDialog>
  )
}

story(
  'a dialog begins at its first field, and closes at once while nothing was entered',
  (tell) => <PersonDialog tell={tell} />,
  async ({ told }) => {
    await expect.element(role('dialog', 'New person')).toBeVisible()
    await expect.element(role('textbox', /Name/)).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => told).toEqual(['closed'])
  },
)

story(
  'a dialog with changes asks before it loses them',
  (tell) => <PersonDialog tell={tell} />,
  async ({ told }) => {
    await role('textbox', /Name/).fill('Ada')
    await role('button', 'Cancel').click()
    await expect.element(role('alertdialog', 'Discard changes?')).toBeVisible()
    await role('button', 'Keep editing').click()
    await expect.element(role('alertdialog')).not.toBeInTheDocument()
    expect(told).toEqual([])
    await expect.element(role('textbox', /Name/)).toHaveValue('Ada')
    await role('button', 'Cancel').click()
    await role('button', 'Discard').click()
    await expect.poll(() => told).toEqual(['closed'])
  },
  { width: 'phone' },
)

story(
  'a password is hidden until its owner shows it',
  () => (
    <Field label="Password">
      <PasswordInput defaultValue="correct horse" />
    </Field>
  ),
  async () => {
    const field = document.querySelector('input') as HTMLInputElement
    expect(field.type).toBe('password')
    await role('button', 'Show password').click()
    expect(field.type).toBe('text')
    await role('button', 'Hide password').click()
    expect(field.type).toBe('password')
  },
)

story(
  'a stored secret is kept until it is replaced, and can be kept after all',
  (tell) => (
    <Held<string | undefined> initial={undefined} tell={tell}>
      {(value, onChange) => <SecretField stored label="Value" value={value} onChange={onChange} />}
    </Held>
  ),
  async ({ told }) => {
    await expect.element(text('stored, not shown')).toBeVisible()
    await role('button', 'Replace Value').click()
    await role('textbox', 'Value').fill('new')
    expect(told).toEqual(['new'])
    await role('button', 'Keep').click()
    expect(told).toEqual(['new', undefined])
    await expect.element(text('stored, not shown')).toBeVisible()
  },
)

story(
  'a new secret is typed at once',
  (tell) => (
    <SecretField required label="Value" error="Enter the secret." stored={false} value={undefined} onChange={tell} />
  ),
  async () => {
    await expect.element(text('Enter the secret.')).toBeVisible()
    expect(role('button', 'Keep').elements()).toEqual([])
  },
)

const groups = [
  {
    area: 'tools',
    label: 'Tools',
    permissions: [
      { name: 'tools:view', label: 'View' },
      { name: 'tools:create', label: 'Create' },
    ],
  },
  { area: 'users', label: 'Users', permissions: [{ name: 'users:manage', label: 'Manage' }] },
]

story(
  'a group of permissions is chosen whole, and shows when only a part is',
  (tell) => (
    <Held<string[]> initial={['tools:view']} tell={tell}>
      {(chosen, onChange) => <PermissionTicks groups={groups as never} chosen={chosen} onChange={onChange} />}
    </Held>
  ),
  async ({ told }) => {
    const tools = role('checkbox', 'Tools')
    expect(tools.element().closest('label')).toHaveAttribute('data-state', 'indeterminate')
    await expect.element(role('checkbox', 'Tools: View')).toBeChecked()
    await tick(tools)
    expect(told.at(-1)).toEqual(['tools:view', 'tools:create'])
    await expect.element(tools).toBeChecked()
    await tick(role('checkbox', 'Tools: View'))
    expect(told.at(-1)).toEqual(['tools:create'])
  },
)

story(
  'a permission that nobody may give is shown and stays as it is',
  (tell) => (
    <Held<string[]> initial={[]} tell={tell}>
      {(chosen, onChange) => (
        <PermissionTicks
          groups={groups as never}
          chosen={chosen}
          canChoose={(name) => name === 'tools:view'}
          onChange={onChange}
        />
      )}
    </Held>
  ),
  async ({ told }) => {
    await expect.element(role('checkbox', 'Users')).toBeDisabled()
    await expect.element(role('checkbox', 'Tools: Create')).toBeDisabled()
    await tick(role('checkbox', 'Tools'))
    expect(told).toEqual([['tools:view']])
  },
)

story(
  'a tick that cannot be changed says so',
  (tell) => (
    <Tick checked disabled strong onChange={tell}>
      Everything
    </Tick>
  ),
  async () => {
    await expect.element(role('checkbox', 'Everything')).toBeChecked()
    await expect.element(role('checkbox', 'Everything')).toBeDisabled()
  },
)

story(
  'small controls tell what was chosen, typed and switched',
  (tell) => (
    <FieldRow>
      <Choice label="Unit" value="day" options={choicesOf({ hour: 'Hours', day: 'Days' })} onChange={tell} />
      <TextField label="Number" type="number" value="" onChange={tell} />
      <Toggle label="Repeat" isOn={false} onChange={tell} />
    </FieldRow>
  ),
  async ({ told }) => {
    await expect.element(role('combobox', 'Unit')).toHaveDisplayValue('Days')
    await role('combobox', 'Unit').selectOptions('Hours')
    await role('spinbutton', 'Number').fill('5')
    await tick(role('checkbox', 'Repeat'))
    expect(told).toEqual(['hour', '5', true])
  },
)

function Advanced() {
  const [hasError, setHasError] = useState(false)
  return (
    <>
      <AdvancedSection title="Advanced" summary="3 retries" hasError={hasError}>
        <TextField label="Retries" value="3" error={hasError ? 'At most 2.' : undefined} onChange={() => {}} />
      </AdvancedSection>
      <Button onClick={() => setHasError(true)}>Save</Button>
    </>
  )
}

story(
  'advanced settings are folded with their values beside, and open at an error',
  () => <Advanced />,
  async () => {
    await expect.element(text('3 retries')).toBeVisible()
    await expect.element(text('Retries')).not.toBeVisible()
    await role('button', 'Save').click()
    await expect.element(text('At most 2.')).toBeVisible()
  },
)

story(
  'the same file can be picked twice in a row',
  (tell) => (
    <FilePicker label="Picture" accept=".png" onFile={(file) => tell(file.name)}>
      {(open) => <Button onClick={open}>Choose</Button>}
    </FilePicker>
  ),
  async ({ told }) => {
    const input = document.querySelector('input[type=file]') as HTMLInputElement
    expect(input.accept).toBe('.png')
    expect(input.multiple).toBe(false)
    const file = new File(['x'], 'logo.png', { type: 'image/png' })
    await userEvent.upload(input, file)
    await userEvent.upload(input, file)
    expect(told).toEqual(['logo.png', 'logo.png'])
  },
)

story(
  'several files are picked together and in order',
  (tell) => (
    <FilePicker label="Documents" onFiles={(files) => tell(files.map(({ name }) => name))}>
      {(open) => <Button onClick={open}>Choose</Button>}
    </FilePicker>
  ),
  async ({ told }) => {
    const input = document.querySelector('input[type=file]') as HTMLInputElement
    await userEvent.upload(input, [new File(['a'], 'a.txt'), new File(['b'], 'b.txt')])
    expect(told).toEqual([['a.txt', 'b.txt']])
  },
)

function Renamed({ tell }: { tell: (value: unknown) => void }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    tell('closed')
  }
  return (
    <>
      <RowMenu of="Apple" actions={[{ label: 'Rename', onSelect: () => setOpen(true) }]} />
      {isOpen && <RenameDialog onClose={close} />}
    </>
  )
}

function RenameDialog({ onClose }: { onClose(): void }) {
  const form = useForm({ initial: { name: '' }, check: () => fieldErrors({}), send: async () => onClose() })
  return (
    <FormDialog title="Rename" submit="Rename" form={form} onClose={onClose}>
      <Field label="Name">
        <Input autoFocus />
      </Field>
    </FormDialog>
  )
}

story(
  'a dialog that a menu has opened gives the focus back to the button of the menu',
  (tell) => <Renamed tell={tell} />,
  async ({ told }) => {
    await role('button', 'Actions for Apple').click()
    await role('menuitem', 'Rename').click()
    await expect.element(role('textbox', 'Name')).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => told).toEqual(['closed'])
    await expect.element(role('button', 'Actions for Apple')).toHaveFocus()
  },
)
