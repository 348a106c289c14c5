import { Button, Dialog, Portal, Stack, Text } from '@chakra-ui/react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { flowLink } from '../api/flow-link.ts'
import { notify } from '../state/notify.ts'
import { type Draft, loadRemote, overwriteRemote, saveCopy } from './draft.ts'

/** Asks what to do when someone else saved a newer version. */
export default function ConflictNotice({ draft }: { draft: Draft }) {
  const navigate = useNavigate()
  const [working, setWorking] = useState(false)
  const close = () => {
    draft.state.conflict = null
  }
  const choose = async (work: () => Promise<void>) => {
    setWorking(true)
    try {
      await work()
      close()
    } catch (error) {
      notify.error(error instanceof Error ? error.message : 'Something went wrong. Try again.')
    }
    setWorking(false)
  }
  const copy = async () => {
    const id = await saveCopy(draft)
    close()
    await navigate(flowLink(draft.canvas.kind.type, id))
    notify.success('Saved as a copy')
  }
  return (
    <Dialog.Root role="alertdialog" open onOpenChange={({ open }) => !open && close()}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>Someone saved a newer version</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>
              <Text>
                This flow was saved in another tab or by another person since you opened it. Your changes are still
                here.
              </Text>
              <Stack mt="5" gap="2">
                <Button disabled={working} colorPalette="accent" onClick={() => void choose(copy)}>
                  Save my version as a copy
                </Button>
                <Button disabled={working} variant="outline" onClick={() => void choose(() => loadRemote(draft))}>
                  Discard my changes and load theirs
                </Button>
                <Button
                  disabled={working}
                  variant="outline"
                  colorPalette="danger"
                  onClick={() => void choose(() => overwriteRemote(draft))}
                >
                  Overwrite their version
                </Button>
              </Stack>
            </Dialog.Body>
            <Dialog.Footer>
              <Button variant="ghost" onClick={close}>
                Keep editing
              </Button>
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
