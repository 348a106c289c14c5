import { Button, Input, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { session } from '../../api/session.ts'
import { useSettings } from '../../api/use-settings.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { requestNewEmail } from './queries.ts'
import { Section } from './Section.tsx'

/** The person's address, where the server can send emails to confirm another one. */
export function EmailSection() {
  const { user } = useSnapshot(session)
  const { data: settings } = useSettings()
  const [changing, setChanging] = useState(false)
  const [sent, setSent] = useState('')
  if (!user || !settings?.canSendEmail) return null
  return (
    <Section title="Email" purpose="You sign in with this address and get email there.">
      <Text mb="3" overflowWrap="anywhere">
        {user.email}
      </Text>
      {sent && (
        <Notice kind="success" mb="4" role="status">
          {sent} Open its link in this browser to change your address.
        </Notice>
      )}
      <Button variant="outline" onClick={() => setChanging(true)}>
        Change email
      </Button>
      {changing && (
        <EmailDialog
          onClose={() => setChanging(false)}
          onSent={(message) => {
            setChanging(false)
            setSent(message)
          }}
        />
      )}
    </Section>
  )
}

function EmailDialog({ onClose, onSent }: { onClose(): void; onSent(message: string): void }) {
  const form = useForm({
    initial: { email: '' },
    check: ({ email }) => fieldErrors({ email: email.trim() === '' && 'Enter your new address.' }),
    send: async ({ email }) => onSent(await requestNewEmail(email)),
  })
  return (
    <FormDialog title="Change email" submit="Send the email" form={form} onClose={onClose}>
      <Field
        label="New email"
        help="We’ll send an email there. Your address changes when you open its link."
        error={form.errors.fields.email}
      >
        <Input
          type="email"
          autoComplete="email"
          value={form.values.email}
          onChange={(event) => form.set({ email: event.target.value })}
        />
      </Field>
    </FormDialog>
  )
}
