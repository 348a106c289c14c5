import { Button, Flex, Text } from '@chakra-ui/react'
import { useState } from 'react'
import type { NewAuthenticator, Security } from '#contract/organization/security.ts'
import { confirm } from '../../state/confirm.ts'
import { notify } from '../../state/notify.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { AuthenticatorDialog } from './AuthenticatorDialog.tsx'
import { attempt } from './attempt.ts'
import { removeAuthenticator, renewRecoveryCodes, startAuthenticator } from './queries.ts'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'
import { Section } from './Section.tsx'

export function AuthenticatorSection({ security }: { security: Security }) {
  const [adding, setAdding] = useState<NewAuthenticator>()
  const [codes, setCodes] = useState<string[]>()
  const start = async () => setAdding(await attempt('Couldn’t start', startAuthenticator))
  return (
    <Section
      title="Authenticator app"
      purpose="Signing in with your password then also asks for a code from your phone."
    >
      {security.authenticator ? (
        <TurnedOn security={security} onCodes={setCodes} />
      ) : (
        <Button variant="outline" onClick={start}>
          Set up authenticator app
        </Button>
      )}
      {adding && (
        <AuthenticatorDialog
          authenticator={adding}
          onClose={() => setAdding(undefined)}
          onTurnedOn={(recoveryCodes) => {
            setAdding(undefined)
            setCodes(recoveryCodes)
          }}
        />
      )}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </Section>
  )
}

interface TurnedOnProps {
  security: Security
  onCodes(codes: string[] | undefined): void
}

function TurnedOn({ security, onCodes }: TurnedOnProps) {
  const renew = async () => {
    const description = 'The old codes stop working.'
    if (!(await confirm({ title: 'Create new recovery codes?', description, confirmButtonName: 'Create new codes' })))
      return
    onCodes((await attempt('Couldn’t create new codes', renewRecoveryCodes))?.recoveryCodes)
  }
  const remove = async () => {
    const asked = {
      title: 'Remove the authenticator app?',
      description: 'Your password alone will sign you in again, and your recovery codes stop working.',
      confirmButtonName: 'Remove',
      danger: true,
    }
    if (!(await confirm(asked))) return
    await attempt('Couldn’t remove it', async () => {
      await removeAuthenticator()
      notify.success('Authenticator app removed')
    })
  }
  const left = security.recoveryCodesLeft
  return (
    <>
      <Text textStyle="sm" mb="3">
        On since <RelativeTime date={security.authenticator?.createdDate ?? ''} />.{' '}
        {left === 1 ? '1 recovery code is left.' : `${left} recovery codes are left.`}
      </Text>
      <Flex gap="2" wrap="wrap">
        <Button variant="outline" onClick={renew}>
          Create new recovery codes
        </Button>
        <Button variant="outline" colorPalette="danger" onClick={remove}>
          Remove authenticator app
        </Button>
      </Flex>
    </>
  )
}
