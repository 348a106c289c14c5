import { Badge, Button, CloseButton, Dialog, Input, Portal, Stack, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { errorMessage } from '#contract/errors.ts'
import { session } from '../../api/session.ts'
import { switchTo } from '../../api/workspaces.ts'
import { notify } from '../../state/notify.ts'
import { shell } from '../shell-state.ts'

/** More than these are searched. */
const AT_A_GLANCE = 7

const close = () => {
  shell.workspaces = false
}

/** The workspaces of the person; choosing one leads to its home page. */
export default function WorkspaceSwitcher() {
  const { user } = useSnapshot(session)
  const [query, setQuery] = useState('')
  const [going, setGoing] = useState<string>()
  const all = user?.assignedWorkspaces ?? []
  const wanted = query.trim().toLowerCase()
  const found = all.filter(({ name }) => name.toLowerCase().includes(wanted))
  const choose = async (id: string) => {
    setGoing(id)
    try {
      await switchTo(id)
    } catch (error) {
      setGoing(undefined)
      notify.error(`Couldn’t switch: ${errorMessage(error)}`)
    }
  }
  return (
    <Dialog.Root
      open
      size="sm"
      placement="center"
      scrollBehavior="inside"
      onOpenChange={({ open }) => !open && close()}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner p="4">
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>Switch workspace</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>
              <Stack gap="2">
                {all.length > AT_A_GLANCE && (
                  <Input
                    type="search"
                    aria-label="Search workspaces"
                    placeholder="Search workspaces"
                    autoFocus
                    value={query}
                    onChange={(event) => setQuery(event.target.value)}
                  />
                )}
                {found.map(({ id, name }) => (
                  <Button
                    key={id}
                    variant="ghost"
                    justifyContent="space-between"
                    whiteSpace="normal"
                    overflowWrap="anywhere"
                    textAlign="start"
                    h="auto"
                    minH="10"
                    aria-current={id === user?.activeWorkspaceId ? 'true' : undefined}
                    disabled={id === user?.activeWorkspaceId || going !== undefined}
                    loading={id === going}
                    onClick={() => choose(id)}
                  >
                    {name}
                    {id === user?.activeWorkspaceId && <Badge>Here</Badge>}
                  </Button>
                ))}
                <Text role="status" color="fg.muted" srOnly={found.length > 0}>
                  {found.length === 0 ? `No workspace matches “${query}”.` : ''}
                </Text>
              </Stack>
            </Dialog.Body>
            <Dialog.CloseTrigger asChild>
              <CloseButton size="sm" />
            </Dialog.CloseTrigger>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
