import { Button, Flex, Stack, Text } from '@chakra-ui/react'
import { useState } from 'react'
import type { Trigger } from '#contract/triggers/index.ts'
import { Notice } from '../../ui/Notice.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { ShownOnceDialog } from '../../ui/ShownOnceDialog.tsx'
import { SecretDialog } from './SecretDialog.tsx'

interface SecretFieldProps {
  trigger: Trigger
  mayChange: boolean
}

/** The secret of a webhook that asks for one: that it is there, and how to make or replace it. */
export function SecretField({ trigger, mayChange }: SecretFieldProps) {
  const [asking, setAsking] = useState(false)
  const [made, setMade] = useState<string>()
  const { hasSecret, previousSecretUntil: until } = trigger
  const button = mayChange && (
    <Button size="sm" variant="outline" onClick={() => setAsking(true)}>
      {hasSecret ? 'Replace the secret' : 'Set a secret'}
    </Button>
  )
  return (
    <Stack gap="2">
      {hasSecret ? (
        <Flex align="center" justify="space-between" gap="3" wrap="wrap">
          <Text textStyle="sm">
            <Text as="span" fontWeight="medium">
              Secret
            </Text>{' '}
            <Text as="span" color="fg.muted">
              is stored and not shown
            </Text>
          </Text>
          {button}
        </Flex>
      ) : (
        <Notice kind="warning">
          <Text mb={mayChange ? '2' : '0'}>There is no secret yet, so every request is refused.</Text>
          {button}
        </Notice>
      )}
      {until && Date.parse(until) > Date.now() && (
        <Text textStyle="xs" color="fg.muted">
          The secret before it is taken as well; its time ends <RelativeTime date={until} ahead />.
        </Text>
      )}
      {asking && <SecretDialog trigger={trigger} onMade={setMade} onClose={() => setAsking(false)} />}
      {made !== undefined && (
        <ShownOnceDialog
          title={`The secret of “${trigger.name}”`}
          label="Secret"
          value={made}
          onClose={() => setMade(undefined)}
        />
      )}
    </Stack>
  )
}
