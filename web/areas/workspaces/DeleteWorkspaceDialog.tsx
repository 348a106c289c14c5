import { Input, Text } from '@chakra-ui/react'
import { RESTORE_DAYS, type Workspace } from '#contract/organization/workspaces.ts'
import { notify } from '../../state/notify.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { deleteWorkspace } from './queries.ts'

/** Deletes a workspace whose name was typed. */
export function DeleteWorkspaceDialog({ workspace, onClose }: { workspace: Workspace; onClose(): void }) {
  const form = useForm({
    initial: { name: '' },
    check: ({ name }) => fieldErrors({ name: name !== workspace.name && 'The name doesn’t match.' }),
    send: async () => {
      await deleteWorkspace(workspace)
      notify.success(`Deleted “${workspace.name}”. You can restore it for ${RESTORE_DAYS} days.`)
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Delete “${workspace.name}”?`}
      submit="Delete workspace"
      danger
      form={{ ...form, dirty: false }}
      onClose={onClose}
    >
      <Text>
        Its flows, webhooks, schedules, keys and public chats stop at once, and its people lose access. For{' '}
        {RESTORE_DAYS} days you can restore it; then everything in it is gone for good.
      </Text>
      <Field label="Name of the workspace" help={`Type “${workspace.name}”.`} error={form.errors.fields.name}>
        <Input
          autoFocus
          autoComplete="off"
          value={form.values.name}
          onChange={(event) => form.set({ name: event.target.value })}
        />
      </Field>
    </FormDialog>
  )
}
