import { Box, Button, Flex, Heading, Stack, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import type { Workspace } from '#contract/organization/workspaces.ts'
import { notify } from '../../state/notify.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { restoreWorkspace } from './queries.ts'

/** Those that can still be restored. */
export function DeletedWorkspaces({ workspaces }: { workspaces: Workspace[] }) {
  if (workspaces.length === 0) return null
  return (
    <Stack as="section" aria-labelledby="deleted-workspaces" gap="3" mt="10">
      <Heading as="h2" size="md" id="deleted-workspaces">
        Deleted
      </Heading>
      <Stack as="ul" listStyleType="none" gap="0" borderWidth="1px" borderRadius="l3">
        {workspaces.map((workspace) => (
          <Deleted key={workspace.id} workspace={workspace} />
        ))}
      </Stack>
    </Stack>
  )
}

function Deleted({ workspace: { id, name, restorableUntil } }: { workspace: Workspace }) {
  const [busy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    try {
      await restoreWorkspace(id)
      notify.success(`Restored “${name}”`)
    } catch (error) {
      setBusy(false)
      notify.error(`Couldn’t restore “${name}”: ${errorMessage(error)}`)
    }
  }
  return (
    <Flex as="li" align="center" gap="3" p="3" wrap="wrap" _notLast={{ borderBottomWidth: '1px' }}>
      <Box flex="1" minW="40">
        <Text fontWeight="medium" overflowWrap="anywhere">
          {name}
        </Text>
        {restorableUntil && (
          <Text textStyle="sm" color="fg.muted">
            Gone for good <RelativeTime date={restorableUntil} ahead />
          </Text>
        )}
      </Box>
      <Button size="sm" variant="outline" loading={busy} aria-label={`Restore ${name}`} onClick={restore}>
        Restore
      </Button>
    </Flex>
  )
}
