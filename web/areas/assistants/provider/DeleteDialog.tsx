import { Text } from '@chakra-ui/react'
import type { Assistant } from '#contract/assistants/assistants.ts'
import { notify } from '../../../state/notify.ts'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { noErrors } from '../../../ui/forms/form-errors.ts'
import { Tick } from '../../../ui/forms/Tick.tsx'
import { useForm } from '../../../ui/forms/use-form.ts'
import { describeUsers } from '../../../usages/describe-users.ts'
import { useUsages } from '../../../usages/queries.ts'
import { deleteAssistant } from '../queries.ts'

interface Props {
  assistant: Assistant
  name: string
  onClose: () => void
}

/** Asks whether an assistant is also deleted at its provider. */
export default function DeleteDialog({ assistant, name, onClose }: Props) {
  const { data: users } = useUsages({ kind: 'assistant', asset: assistant.id })
  const form = useForm({
    initial: { both: false },
    check: () => noErrors,
    send: async ({ both }) => {
      await deleteAssistant(assistant.id, both)
      notify.success(`Deleted “${name}”`)
      onClose()
    },
  })
  return (
    <FormDialog title={`Delete “${name}”?`} submit="Delete" danger form={{ ...form, dirty: false }} onClose={onClose}>
      <Text>It is removed from this workspace. {users && describeUsers(users, 'you choose another assistant')}</Text>
      <Tick checked={form.values.both} onChange={(both) => form.set({ both })}>
        Also delete it at the provider. Programs that use it there will fail.
      </Tick>
    </FormDialog>
  )
}
