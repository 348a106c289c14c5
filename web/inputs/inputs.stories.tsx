import { useState } from 'react'
import type { InputParam } from '#contract/flow/params/definition.ts'
import type { Inputs } from '#contract/flow/params/params.ts'
import { expect, page, role, story, text, tick, userEvent } from '../workshop/story.tsx'
import { ParamForm } from './ParamForm.tsx'

const param = (type: string, more: Partial<InputParam> = {}): InputParam =>
  ({ name: 'it', label: 'Field', type, optional: true, ...more }) as InputParam

interface FormProps {
  params: InputParam[]
  values?: Inputs
  errors?: Record<string, string>
  tell(value: unknown): void
}

/** Holds the values as the canvas does, and tells each change. */
function Form({ params, values: initial = {}, errors = {}, tell }: FormProps) {
  const [values, setValues] = useState(initial)
  return (
    <ParamForm
      prefix="story"
      params={params}
      values={values}
      errors={errors}
      onPatch={(patch) => {
        tell(patch)
        setValues((now) => ({ ...now, ...patch }))
      }}
      onDone={() => tell('done')}
    />
  )
}

story(
  'a text has its label, what it is for, a warning and what is wrong with it',
  (tell) => (
    <Form
      tell={tell}
      params={[param('string', { optional: false, description: 'As callers see it.', warning: 'It is public.' })]}
      errors={{ it: 'Enter a text.' }}
    />
  ),
  async ({ told }) => {
    for (const words of ['As callers see it.', 'It is public.', 'Enter a text.'])
      await expect.element(text(words)).toBeVisible()
    const field = page.getByLabelText(/Field/)
    await expect.element(field).toBeInvalid()
    await field.fill('Hello')
    await userEvent.tab()
    expect(told).toEqual([{ it: 'Hello' }, 'done'])
  },
)

story(
  'a long text has several lines and shows its example',
  (tell) => <Form tell={tell} params={[param('string', { rows: 4, placeholder: 'You are a helpful assistant' })]} />,
  async () => {
    const field = page.getByPlaceholder('You are a helpful assistant')
    await expect.element(field).toBeVisible()
    expect(field.element().tagName).toBe('TEXTAREA')
    expect((field.element() as HTMLTextAreaElement).rows).toBe(4)
  },
)

story(
  'a number is kept as a number, and an empty field as no number',
  (tell) => <Form tell={tell} params={[param('number', { step: 0.1 })]} values={{ it: 0.7 }} />,
  async ({ told }) => {
    const field = role('spinbutton', 'Field')
    await expect.element(field).toHaveValue(0.7)
    await expect.element(field).toHaveAttribute('step', '0.1')
    await field.fill('12')
    await field.fill('')
    expect(told).toEqual([{ it: 12 }, { it: '' }])
  },
)

story(
  'a switch tells on and off, and knows the texts of older files',
  (tell) => <Form tell={tell} params={[param('boolean')]} values={{ it: 'true' }} />,
  async ({ told }) => {
    const field = role('checkbox', 'Field')
    await expect.element(field).toBeChecked()
    await tick(field)
    await tick(field)
    expect(told).toEqual([{ it: false }, { it: true }])
  },
)

const options = [
  { name: 'a', label: 'Anthropic' },
  { name: 'b', label: 'Bedrock' },
] as InputParam['options']

story(
  'a choice of options can be left open when it is optional',
  (tell) => <Form tell={tell} params={[param('options', { options })]} values={{ it: 'a' }} />,
  async ({ told }) => {
    const field = role('combobox', 'Field')
    await expect.element(field).toHaveDisplayValue('Anthropic')
    await field.selectOptions('Bedrock')
    await field.selectOptions('Choose…')
    expect(told).toEqual([{ it: 'b' }, { it: '' }])
  },
)

story(
  'a needed choice that was made cannot be taken back',
  (tell) => <Form tell={tell} params={[param('options', { options, optional: false })]} values={{ it: 'a' }} />,
  async () => {
    await expect.element(role('combobox')).toBeVisible()
    expect(
      role('option')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['Anthropic', 'Bedrock'])
  },
)

story(
  'a choice that the list does not know is kept and called unknown',
  (tell) => <Form tell={tell} params={[param('options', { options })]} values={{ it: 'old-model' }} />,
  async () => {
    await expect.element(role('combobox')).toHaveDisplayValue('old-model (unknown)')
  },
)

story(
  'several options are kept as the text of a list, in the order of the list',
  (tell) => <Form tell={tell} params={[param('multiOptions', { options })]} values={{ it: '["b"]' }} />,
  async ({ told }) => {
    await expect.element(role('group', 'Field')).toBeVisible()
    await expect.element(role('checkbox', 'Bedrock')).toBeChecked()
    await tick(role('checkbox', 'Anthropic'))
    await tick(role('checkbox', 'Anthropic'))
    await tick(role('checkbox', 'Bedrock'))
    expect(told).toEqual([{ it: '["a","b"]' }, { it: '["b"]' }, { it: '' }])
  },
)

story(
  'a text with suggestions takes one of them or any other text',
  (tell) => <Form tell={tell} params={[param('options', { options, freeSolo: true })]} />,
  async ({ told }) => {
    const field = role('combobox', 'Field')
    await field.click()
    await role('option', 'Bedrock').click()
    expect(told).toEqual([{ it: 'b' }])
    await expect.element(field).toHaveValue('Bedrock')
    await field.fill('my-own')
    expect(told.at(-1)).toEqual({ it: 'my-own' })
    await field.fill('anthropic')
    await expect.element(role('option', 'Anthropic')).toBeVisible()
    expect(role('option', 'Bedrock').elements()).toEqual([])
  },
)

story(
  'a secret is hidden and no browser fills it in',
  (tell) => <Form tell={tell} params={[param('password')]} values={{ it: 'abc' }} />,
  async () => {
    const field = page.getByLabelText('Field')
    await expect.element(field).toHaveAttribute('type', 'password')
    await expect.element(field).toHaveAttribute('autocomplete', 'new-password')
  },
)

const rules = param('array', {
  name: 'rules',
  label: 'Rules',
  minItems: 1,
  array: [param('string', { name: 'value', label: 'Value' })],
})

const values = () =>
  page
    .getByLabelText('Value')
    .elements()
    .map((each) => (each as HTMLInputElement).value)

story(
  'items of a list are added, moved and removed',
  (tell) => <Form tell={tell} params={[rules]} values={{ rules: [{ value: 'one' }] }} />,
  async () => {
    await expect.element(role('button', 'Remove Rule 1')).toBeDisabled()
    await expect.element(role('button', 'Move Rule 1 up')).toBeDisabled()
    await role('button', 'Add rule').click()
    await page.getByLabelText('Value').nth(1).fill('two')
    await role('button', 'Move Rule 2 up').click()
    await expect.poll(values).toEqual(['two', 'one'])
    await expect.element(role('button', 'Move Rule 2 down')).toBeDisabled()
    await role('button', 'Move Rule 1 down').click()
    await expect.poll(values).toEqual(['one', 'two'])
    await role('button', 'Remove Rule 1').click()
    await expect.poll(values).toEqual(['two'])
  },
)

const grid = param('datagrid', {
  name: 'schema',
  label: 'Input schema',
  datagrid: [
    { field: 'name', headerName: 'Name' },
    { field: 'type', headerName: 'Type', type: 'singleSelect', valueOptions: ['string', 'number'] },
  ],
} as Partial<InputParam>)

story(
  'rows of a table are filled in and kept as text',
  (tell) => <Form tell={tell} params={[grid]} />,
  async ({ told }) => {
    await role('button', 'Add row').click()
    const row = page.getByRole('group', { name: 'Row 1' })
    await row.getByLabelText('Name').fill('city')
    await row.getByLabelText('Type').selectOptions('number')
    const { schema } = told.filter((each) => each !== 'done').at(-1) as { schema: string }
    expect(JSON.parse(schema)).toEqual([expect.objectContaining({ name: 'city', type: 'number' })])
    await role('button', 'Remove row 1').click()
    await expect.element(row).not.toBeInTheDocument()
  },
)

story(
  'a value that a choice of a table does not know is kept',
  (tell) => <Form tell={tell} params={[grid]} values={{ schema: '[{"name":"a","type":"date"}]' }} />,
  async () => {
    await expect.element(page.getByLabelText('Type')).toHaveDisplayValue('date (unknown)')
  },
)

story(
  'a file is read, shown by its name, and can be taken out',
  (tell) => <Form tell={tell} params={[param('file')]} />,
  async ({ told }) => {
    await expect.element(text('No file')).toBeVisible()
    const input = document.querySelector('input[type=file]') as HTMLInputElement
    await userEvent.upload(input, new File(['hello'], 'notes.txt', { type: 'text/plain' }))
    await expect.element(text('notes.txt')).toBeVisible()
    expect(told).toEqual([{ it: 'data:text/plain;base64,aGVsbG8=,filename:notes.txt' }])
    await expect.element(text('Replace')).toBeVisible()
    await role('button', 'Remove notes.txt').click()
    expect(told.at(-1)).toEqual({ it: '' })
  },
)

story(
  'fields appear with the choice that they belong to',
  (tell) => (
    <Form
      tell={tell}
      params={[
        param('boolean', { name: 'memory', label: 'Enable memory' }),
        param('number', { name: 'size', label: 'Window size', show: { memory: true } }),
      ]}
    />
  ),
  async () => {
    await expect.element(role('checkbox', 'Enable memory')).not.toBeChecked()
    expect(role('spinbutton').elements()).toEqual([])
    await tick(role('checkbox', 'Enable memory'))
    await expect.element(role('spinbutton', 'Window size')).toBeVisible()
  },
  { width: 'phone' },
)
