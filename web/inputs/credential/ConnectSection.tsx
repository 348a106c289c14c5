import { Button, Flex, Stack, Text } from '@chakra-ui/react'
import { IconPlugConnected } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { Credential } from '#contract/credentials.ts'
import { errorMessage } from '#contract/errors.ts'
import { apiBase } from '../../api/client.ts'
import { invalidate } from '../../api/query.ts'
import { notify } from '../../state/notify.ts'
import { CopyField } from '../../ui/CopyField.tsx'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { listenForConnections, openProvider } from './oauth-window.ts'

interface Props {
  /** Absent while it is not created yet. */
  credential?: Credential | undefined
  /** There are changes that the provider would not hear of. */
  dirty: boolean
}

/** Where a credential is connected with its provider, and where the provider must send people back to. */
export function ConnectSection({ credential, dirty }: Props) {
  const [state, setState] = useState<{ connection: Credential['connection']; error?: string }>({
    connection: credential?.connection,
  })
  const [isAway, setAway] = useState(false)
  const id = credential?.id
  useEffect(
    () =>
      listenForConnections(({ success, message, credentialId }) => {
        if (success && credentialId !== id) return
        setAway(false)
        if (!success) return setState((shown) => ({ ...shown, error: message }))
        setState({ connection: 'connected' })
        notify.success(message)
        void invalidate('credentials')
      }),
    [id],
  )

  const connect = async () => {
    setState(({ connection }) => ({ connection }))
    setAway(true)
    try {
      await openProvider(id as string)
    } catch (error) {
      setAway(false)
      setState((shown) => ({ ...shown, error: errorMessage(error) }))
    }
  }
  const { connection, error } = state
  return (
    <Stack gap="3">
      <Stack gap="1.5">
        <Text textStyle="sm" fontWeight="medium">
          Redirect URL
        </Text>
        <CopyField label="Redirect URL" value={`${apiBase()}/api/v1/oauth2-credential/callback`} />
        <Text textStyle="xs" color="fg.muted">
          Enter it at the provider, where you created the client.
        </Text>
      </Stack>
      {id && (
        <Flex align="center" justify="space-between" gap="3" wrap="wrap">
          <Text textStyle="sm" role="status" flex="1 1 12rem">
            {isAway ? 'Waiting for you to allow it in the other window.' : STATUS[connection ?? 'none']}
          </Text>
          <Button size="sm" variant="outline" disabled={dirty} onClick={connect}>
            <IconPlugConnected aria-hidden />
            {connection === 'none' ? 'Connect' : 'Reconnect'}
          </Button>
        </Flex>
      )}
      {(dirty || !id) && (
        <Text textStyle="xs" color="fg.muted">
          {id ? 'Save your changes, then connect.' : 'Create it, then connect.'}
        </Text>
      )}
      {error && <Notice kind="danger">{error}</Notice>}
    </Stack>
  )
}

const STATUS = {
  none: 'Not connected.',
  connected: 'Connected.',
  refused: 'The provider has ended the connection. Reconnect it, so that flows can use it again.',
}
