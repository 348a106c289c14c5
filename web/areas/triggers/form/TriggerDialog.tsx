import type { Trigger } from '#contract/triggers/index.ts'
import type { TriggerKind } from '#contract/triggers/settings.ts'
import { KIND_LABELS } from '../../../inputs/trigger/badges.tsx'
import { ownZone } from '../../../inputs/trigger/clock.ts'
import { notify } from '../../../state/notify.ts'
import { Notice } from '../../../ui/feedback/Notice.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { Choice, TextField } from '../../../ui/forms/fields.tsx'
import { fieldErrors } from '../../../ui/forms/form-errors.ts'
import { useForm } from '../../../ui/forms/use-form.ts'
import { createTrigger, makeFirstSecret, updateTrigger } from '../queries.ts'
import { newDraft, readDraft, type TriggerDraft, toDraft } from './draft.ts'
import { FlowField } from './FlowField.tsx'
import { OperationsFields } from './OperationsFields.tsx'
import { ScheduleFields } from './ScheduleFields.tsx'
import { WebhookFields } from './WebhookFields.tsx'

interface TriggerDialogProps {
  /** The trigger to edit; creates one when absent. */
  trigger?: Trigger
  /** The type a new trigger starts with. */
  kind?: TriggerKind
  /** Receives the secret of a new webhook, so that it can be shown once. */
  onSaved?: (trigger: Trigger, secret?: string) => void
  onClose: () => void
}

/** Creates or edits a trigger. */
export default function TriggerDialog({ trigger, kind = 'schedule', onSaved, onClose }: TriggerDialogProps) {
  const form = useForm<TriggerDraft>({
    initial: trigger ? toDraft(trigger, ownZone()) : newDraft(kind, ownZone()),
    check: (draft) => {
      const read = readDraft(draft, trigger)
      return fieldErrors(read.ok ? {} : read.errors)
    },
    send: async (draft) => {
      const read = readDraft(draft, trigger)
      if (!read.ok) return
      const { flowId: _, ...change } = read.value
      const saved = trigger ? await updateTrigger(trigger.id, change) : await createTrigger(read.value)
      const secret = trigger ? undefined : await makeFirstSecret(saved)
      notify.success(trigger ? 'Trigger saved' : 'Trigger created')
      onClose()
      onSaved?.(saved, secret)
    },
  })
  const { values, errors, set } = form
  const fields = errors.fields
  return (
    <FormDialog
      title={trigger ? `Edit “${trigger.name}”` : 'New trigger'}
      submit={trigger ? 'Save' : 'Create'}
      size="lg"
      form={form}
      onClose={onClose}
    >
      {trigger?.nodeId && (
        <Notice>
          These settings belong to the Start node of “{trigger.flow.name}”. Saving creates a new version of the flow.
        </Notice>
      )}
      {!trigger && (
        <>
          <FlowField
            value={values.flowId}
            error={fields.flowId}
            // Suggests the flow's name while the field is empty.
            onChange={(flowId, name) => set({ flowId, ...(values.name.trim() === '' && { name }) })}
          />
          <Choice
            label="Type"
            value={values.kind}
            options={[
              ['schedule', KIND_LABELS.schedule],
              ['webhook', KIND_LABELS.webhook],
            ]}
            onChange={(chosen) => set({ kind: chosen })}
          />
        </>
      )}
      <TextField label="Name" error={fields.name} value={values.name} onChange={(name) => set({ name })} />
      {values.kind === 'schedule' ? (
        <ScheduleFields
          draft={values.schedule}
          errors={fields}
          set={(change) => set({ schedule: { ...values.schedule, ...change } })}
        />
      ) : (
        <WebhookFields
          draft={values.webhook}
          errors={fields}
          set={(change) => set({ webhook: { ...values.webhook, ...change } })}
        />
      )}
      <OperationsFields
        kind={values.kind}
        draft={values.operations}
        errors={fields}
        set={(change) => set({ operations: { ...values.operations, ...change } })}
      />
    </FormDialog>
  )
}
