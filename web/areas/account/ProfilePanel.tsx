import { Button, Flex, Input, Stack } from '@chakra-ui/react'
import { useSnapshot } from 'valtio'
import type { SessionUser } from '#contract/account/account.ts'
import { api } from '../../api/client.ts'
import { session, setSession } from '../../api/session.ts'
import { notify } from '../../state/notify.ts'
import { Field, Form } from '../../ui/forms/Form.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { LeaveSection } from './LeaveSection.tsx'

/** The person's own name and address. */
export default function ProfilePanel() {
  const { user } = useSnapshot(session)
  return (
    user && (
      <>
        <ProfileForm key={user.id} name={user.name} email={user.email} />
        <LeaveSection />
      </>
    )
  )
}

function ProfileForm({ name, email }: { name: string; email: string }) {
  const { values, errors, busy, set, submit } = useForm({
    initial: { name },
    check: (fields) => fieldErrors({ name: fields.name.trim() === '' && 'Enter your name.' }),
    send: async (fields) => {
      setSession(await api.put<SessionUser>('/account/profile', { name: fields.name.trim() }))
      notify.success('Profile saved')
    },
  })
  return (
    <Stack maxW="md">
      <Form onSubmit={submit} summary={errors.summary}>
        <Field label="Name" help="Visible to others in your workspaces." error={errors.fields.name}>
          <Input
            autoComplete="name"
            maxLength={100}
            value={values.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        </Field>
        <Field label="Email" help="Used to sign in.">
          <Input type="email" value={email} readOnly />
        </Field>
        <Flex>
          <Button type="submit" colorPalette="accent" loading={busy} loadingText="Saving">
            Save
          </Button>
        </Flex>
      </Form>
    </Stack>
  )
}
