import { Input, NativeSelect, Textarea } from '@chakra-ui/react'
import { MAX_SECRET_LENGTH, MIN_SECRET_LENGTH, type Variable } from '#contract/variables/variables.ts'
import { notify } from '../../state/notify.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { SecretField } from '../../ui/forms/SecretField.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { saveVariable, TYPE_LABELS, type VariableFields } from './queries.ts'

const NAME = /^[\p{L}\p{N}_-]+$/u

const TYPE_HELP = {
  static: 'Uses the value below, unless a flow lets its callers replace it.',
  runtime:
    'Set for each run: by the caller in overrideConfig.vars, if the flow’s Share dialog allows this name, or by the server’s environment, if RUNTIME_VARIABLES lists it. Steps that read it fail without a value.',
  secret:
    'Stored encrypted and never shown again. It is hidden in answers, traces and exports, and callers cannot replace it.',
}

/** @param isStored the server has a value that it never returns */
function checkVariable({ name, type, value }: VariableFields, isStored: boolean) {
  const length = value?.trim().length ?? 0
  const keeps = isStored && value === undefined
  return fieldErrors({
    name: (name.trim() === '' && 'Enter a name.') || (!NAME.test(name.trim()) && 'Use only letters, digits, _ and -.'),
    value:
      type === 'secret' &&
      !keeps &&
      ((length === 0 && 'Enter the secret.') ||
        (length < MIN_SECRET_LENGTH &&
          `Use at least ${MIN_SECRET_LENGTH} characters: shorter texts cannot be hidden.`) ||
        ((value?.length ?? 0) > MAX_SECRET_LENGTH && `Use at most ${MAX_SECRET_LENGTH} characters.`)),
  })
}

/** Creates or edits a variable. */
export function VariableDialog({ variable, onClose }: { variable?: Variable; onClose(): void }) {
  const isStored = variable?.type === 'secret' && variable.hasValue
  const form = useForm<VariableFields>({
    initial: {
      name: variable?.name ?? '',
      value: isStored ? undefined : (variable?.value ?? ''),
      type: variable?.type ?? 'static',
    },
    check: (fields) => checkVariable(fields, isStored && fields.type === 'secret'),
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
            {Object.entries(TYPE_LABELS).map(([type, label]) => (
              <option key={type} value={type}>
                {label}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </Field>
      {values.type === 'static' && (
        <Field label="Value" help="Visible to everyone in this workspace." error={errors.fields.value}>
          <Textarea rows={4} value={values.value ?? ''} onChange={(event) => set({ value: event.target.value })} />
        </Field>
      )}
      {values.type === 'secret' && (
        <SecretField
          label="Value"
          help={isStored ? undefined : 'You cannot read it here again. Keep a copy where you keep your passwords.'}
          error={errors.fields.value}
          stored={isStored}
          value={values.value}
          onChange={(value) => set({ value })}
        />
      )}
    </FormDialog>
  )
}
