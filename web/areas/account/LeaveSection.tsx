import { Button, Flex, Heading, Stack, Text } from '@chakra-ui/react'
import { useSnapshot } from 'valtio'
import { errorMessage } from '#contract/errors.ts'
import { api } from '../../api/client.ts'
import { session } from '../../api/session.ts'
import { useViewer } from '../../api/use-can.ts'
import { confirm } from '../../state/confirm.ts'
import { notify } from '../../state/notify.ts'

/** Lets people leave the workspace they are in, or the whole organization. Open source has one organization only. */
export function LeaveSection() {
  const { user } = useSnapshot(session)
  const viewer = useViewer()
  if (!user || !viewer || viewer.platform === 'open source') return null
  const { activeWorkspace, activeWorkspaceId } = user
  return (
    <Stack as="section" aria-labelledby="leave" gap="3" maxW="md" mt="10">
      <Heading as="h2" id="leave" size="lg">
        Leave
      </Heading>
      <Text textStyle="sm" color="fg.muted">
        You lose access at once. What you made stays. Only an admin can let you in again.
      </Text>
      <Flex gap="2" wrap="wrap">
        {/* Admins reach every workspace. */}
        {!viewer.isGlobal && (
          <Button
            variant="outline"
            onClick={() => void leave(`the workspace “${activeWorkspace}”`, `/workspaces/${activeWorkspaceId}/leave`)}
          >
            Leave this workspace
          </Button>
        )}
        <Button
          variant="outline"
          colorPalette="danger"
          onClick={() => void leave('the organization', '/account/leave')}
        >
          Leave the organization
        </Button>
      </Flex>
    </Stack>
  )
}

async function leave(what: string, path: string): Promise<void> {
  const sure = await confirm({
    title: `Leave ${what}?`,
    description: 'You lose access at once. Only an admin can let you in again.',
    confirmButtonName: 'Leave',
    danger: true,
  })
  if (!sure) return
  try {
    await api.post(path)
    // Another workspace, or none: everything that the page knows belongs to the one that was left.
    location.assign('/app')
  } catch (error) {
    notify.error(`Couldn’t leave ${what}: ${errorMessage(error)}`)
  }
}
