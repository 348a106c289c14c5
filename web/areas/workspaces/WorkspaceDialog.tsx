import { Input } from '@chakra-ui/react'
import { MAX_WORKSPACE_NAME, type Workspace } from '#contract/organization/workspaces.ts'
import { notify } from '../../state/notify.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { saveWorkspace } from './queries.ts'

/** Creates or renames a workspace. */
export function WorkspaceDialog({ workspace, onClose }: { workspace?: Workspace; onClose(): void }) {
  const form = useForm({
    initial: { name: workspace?.name ?? '' },
    check: ({ name }) => fieldErrors({ name: name.trim() === '' && 'Enter a name.' }),
    send: async ({ name }) => {
      await saveWorkspace(name.trim(), workspace?.id)
      notify.success(workspace ? 'Workspace renamed' : `Created “${name.trim()}”`)
      onClose()
    },
  })
  return (
    <FormDialog
      title={workspace ? 'Rename workspace' : 'New workspace'}
      submit={workspace ? 'Rename' : 'Create'}
      form={form}
      onClose={onClose}
    >
      <Field
        label="Name"
        help={workspace ? undefined : 'It starts empty. You can add people to it later.'}
        error={form.errors.fields.name}
      >
        <Input
          autoFocus
          maxLength={MAX_WORKSPACE_NAME}
          value={form.values.name}
          onChange={(event) => form.set({ name: event.target.value })}
        />
      </Field>
    </FormDialog>
  )
}
