import { Button, Input, Text } from '@chakra-ui/react'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { PASSWORD_BEFORE_PASSKEY } from '#contract/organization/managed-account.ts'
import type { Passkey } from '#contract/organization/passkeys.ts'
import { confirm } from '../../state/confirm.ts'
import { notify } from '../../state/notify.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { RowMenu } from '../../ui/lists/RowMenu.tsx'
import { RowTable } from '../../ui/lists/RowTable.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { attempt } from './attempt.ts'
import { addPasskey, removePasskey, renamePasskey } from './queries.ts'
import { Section } from './Section.tsx'

export function PasskeysSection({ passkeys, mayAdd }: { passkeys: Passkey[]; mayAdd: boolean }) {
  const [editing, setEditing] = useState<Passkey | 'new'>()
  const remove = async (passkey: Passkey) => {
    const asked = {
      title: `Remove “${passkey.name}”?`,
      description: 'It no longer signs you in. Delete it on your device too.',
      confirmButtonName: 'Remove',
      danger: true,
    }
    if (!(await confirm(asked))) return
    await attempt('Couldn’t remove the passkey', async () => {
      await removePasskey(passkey.id)
      notify.success('Passkey removed')
    })
  }
  return (
    <Section
      title="Passkeys"
      purpose="Sign in with your fingerprint, face or device PIN, without a password or a code."
    >
      {passkeys.length > 0 && (
        <RowTable
          label="Passkeys"
          rows={passkeys}
          columns={[
            { header: 'Name', cell: ({ name }) => <Text>{name}</Text> },
            { header: 'Added', cell: ({ createdDate }) => <RelativeTime date={createdDate} />, minor: true },
            {
              header: 'Last used',
              cell: ({ lastUsedDate }) => (lastUsedDate ? <RelativeTime date={lastUsedDate} /> : 'Never'),
            },
            {
              header: 'Actions',
              quiet: true,
              cell: (row) => (
                <RowMenu
                  of={row.name}
                  actions={[
                    { label: 'Rename', icon: IconPencil, onSelect: () => setEditing(row) },
                    { label: 'Remove', icon: IconTrash, onSelect: () => void remove(row) },
                  ]}
                />
              ),
            },
          ]}
        />
      )}
      {mayAdd ? (
        <Button variant="outline" mt={passkeys.length > 0 ? '4' : '0'} onClick={() => setEditing('new')}>
          Add a passkey
        </Button>
      ) : (
        <Text mt={passkeys.length > 0 ? '4' : '0'}>{PASSWORD_BEFORE_PASSKEY}</Text>
      )}
      {editing && (
        <NameDialog passkey={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
    </Section>
  )
}

function NameDialog({ passkey, onClose }: { passkey: Passkey | undefined; onClose(): void }) {
  const form = useForm({
    initial: { name: passkey?.name ?? '' },
    check: ({ name }) => fieldErrors({ name: name.trim() === '' && 'Enter a name.' }),
    send: async ({ name }) => {
      if (passkey) await renamePasskey(passkey.id, name)
      else if (!(await addPasskey(name))) throw new Error('No passkey was made. Try again.')
      notify.success(passkey ? 'Passkey renamed' : 'Passkey added')
      onClose()
    },
  })
  return (
    <FormDialog
      title={passkey ? 'Rename passkey' : 'Add a passkey'}
      submit={passkey ? 'Rename' : 'Continue'}
      form={form}
      onClose={onClose}
    >
      <Field label="Name" help="Such as the device that keeps it." error={form.errors.fields.name}>
        <Input maxLength={100} value={form.values.name} onChange={(event) => form.set({ name: event.target.value })} />
      </Field>
    </FormDialog>
  )
}
