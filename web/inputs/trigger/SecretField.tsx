import { Button, Flex, Stack, Text } from '@chakra-ui/react'
import { useState } from 'react'
import type { Trigger } from '#contract/triggers/index.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { ShownOnceDialog } from '../../ui/feedback/ShownOnceDialog.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { SecretDialog } from './SecretDialog.tsx'

interface SecretFieldProps {
  trigger: Trigger
  canChange: boolean
}

/** Shows whether a webhook has a secret, and sets or replaces it. */
export function SecretField({ trigger, canChange }: SecretFieldProps) {
  const [dialogOpen, setDialogOpen] = useState(false)
  const [generated, setGenerated] = useState<string>()
  const { hasSecret, previousSecretUntil: until } = trigger
  const button = canChange && (
    <Button size="sm" variant="outline" onClick={() => setDialogOpen(true)}>
      {hasSecret ? 'Replace secret' : 'Set secret'}
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
              stored, not shown
            </Text>
          </Text>
          {button}
        </Flex>
      ) : (
        <Notice kind="warning">
          <Text mb={canChange ? '2' : '0'}>Requests are rejected until you set a secret.</Text>
          {button}
        </Notice>
      )}
      {until && Date.parse(until) > Date.now() && (
        <Text textStyle="xs" color="fg.muted">
          The old secret stays valid too. It expires <RelativeTime date={until} ahead />.
        </Text>
      )}
      {dialogOpen && <SecretDialog trigger={trigger} onGenerated={setGenerated} onClose={() => setDialogOpen(false)} />}
      {generated !== undefined && (
        <ShownOnceDialog
          title={`Secret for “${trigger.name}”`}
          label="Secret"
          value={generated}
          onClose={() => setGenerated(undefined)}
        />
      )}
    </Stack>
  )
}
