import { Button, Flex, Text } from '@chakra-ui/react'
import { IconPlugConnected, IconPlugConnectedX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { OAuthMessage } from '#contract/credentials/oauth.ts'
import { errorMessage } from '#contract/errors.ts'
import { notify } from '../../state/notify.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { listenForConnections, openProvider } from './oauth-window.ts'

type Connection = 'none' | 'connected' | 'refused'

interface Props {
  /** How it stands when the row appears. */
  connection: Connection
  /** There are changes that the provider would not hear of. */
  dirty: boolean
  /** Asks the API for the address of the consent page. */
  askAddress(): Promise<string | undefined>
  /** Returns true when a connection that was made is the one of this row. */
  isOwn(message: OAuthMessage): boolean
  /** After the connection was made or ended. */
  onChange(connection: Connection): void
  disconnect?(): Promise<unknown>
}

/** The state of a connection with a provider, and the buttons that change it. */
export function ConnectRow({ connection, dirty, askAddress, isOwn, onChange, disconnect }: Props) {
  const [state, setState] = useState<{ connection: Connection; error?: string }>({ connection })
  const [isAway, setAway] = useState(false)
  const become = (connection: Connection) => {
    setState({ connection })
    onChange(connection)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: one channel for as long as the row is shown
  useEffect(
    () =>
      listenForConnections((message) => {
        if (message.success && !isOwn(message)) return
        setAway(false)
        if (!message.success) return setState((shown) => ({ ...shown, error: message.message }))
        become('connected')
        notify.success(message.message)
      }),
    [],
  )

  const fail = (error: unknown) => setState((shown) => ({ ...shown, error: errorMessage(error) }))
  const connect = async () => {
    setState(({ connection }) => ({ connection }))
    setAway(true)
    try {
      const { opened } = await openProvider(askAddress)
      if (!opened) setAway(false)
    } catch (error) {
      setAway(false)
      fail(error)
    }
  }
  const end = () => disconnect?.().then(() => become('none'), fail)
  return (
    <>
      <Flex align="center" justify="space-between" gap="3" wrap="wrap">
        <Text textStyle="sm" role="status" flex="1 1 12rem">
          {isAway ? 'Waiting for you to allow it in the other window.' : STATUS[state.connection]}
        </Text>
        <Flex gap="2" wrap="wrap">
          {disconnect && state.connection !== 'none' && (
            <Button size="sm" variant="outline" onClick={end}>
              <IconPlugConnectedX aria-hidden />
              Disconnect
            </Button>
          )}
          <Button size="sm" variant="outline" disabled={dirty} onClick={connect}>
            <IconPlugConnected aria-hidden />
            {state.connection === 'none' ? 'Connect' : 'Reconnect'}
          </Button>
        </Flex>
      </Flex>
      {dirty && (
        <Text textStyle="xs" color="fg.muted">
          Save your changes, then connect.
        </Text>
      )}
      {state.error && <Notice kind="danger">{state.error}</Notice>}
    </>
  )
}

const STATUS = {
  none: 'Not connected.',
  connected: 'Connected.',
  refused: 'The provider has ended the connection. Reconnect it, so that flows can use it again.',
}
