import { Input, NativeSelect, Textarea } from '@chakra-ui/react'
import type { Variable } from '#contract/variables.ts'
import { notify } from '../../state/notify.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { saveVariable, type VariableFields } from './queries.ts'

const NAME = /^[\p{L}\p{N}_-]+$/u

const TYPE_HELP = {
  static: 'Uses the value below.',
  runtime:
    'Set for each run, from the caller’s overrideConfig.vars if the flow allows it, or from the server’s environment if RUNTIME_VARIABLES lists it. Steps that read it fail without a value.',
}

function checkVariable({ name }: VariableFields) {
  if (name.trim() === '') return fieldErrors({ name: 'Enter a name.' })
  return fieldErrors({ name: !NAME.test(name.trim()) && 'Use only letters, digits, _ and -.' })
}

/** Creates or edits a variable. */
export function VariableDialog({ variable, onClose }: { variable?: Variable; onClose(): void }) {
  const form = useForm<VariableFields>({
    initial: { name: variable?.name ?? '', value: variable?.value ?? '', type: variable?.type ?? 'static' },
    check: checkVariable,
    send: async (fields) => {
      await saveVariable({ ...fields, name: fields.name.trim() }, variable?.id)
      notify.success(variable ? 'Variable saved' : 'Variable created')
      onClose()
    },
  })
  const { values, errors, set } = form
  return (
    <FormDialog
      title={variable ? 'Edit variable' : 'New variable'}
      submit={variable ? 'Save' : 'Create'}
      form={form}
      onClose={onClose}
    >
      <Field
        label="Name"
        help={`Reference it in flows as {{$vars.${values.name.trim() || 'name'}}}.`}
        error={errors.fields.name}
      >
        <Input autoFocus maxLength={100} value={values.name} onChange={(event) => set({ name: event.target.value })} />
      </Field>
      <Field label="Type" help={TYPE_HELP[values.type]}>
        <NativeSelect.Root>
          <NativeSelect.Field
            value={values.type}
            onChange={(event) => set({ type: event.target.value as VariableFields['type'] })}
          >
            <option value="static">Static</option>
            <option value="runtime">Runtime</option>
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </Field>
      {values.type === 'static' && (
        <Field
          label="Value"
          help="Visible to everyone in this workspace. Store secrets as credentials."
          error={errors.fields.value}
        >
          <Textarea rows={4} value={values.value} onChange={(event) => set({ value: event.target.value })} />
        </Field>
      )}
    </FormDialog>
  )
}
