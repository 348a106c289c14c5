import { Button, Dialog, Portal, Stack, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import { goOn, switchBack } from '../../api/workspaces.ts'
import { notify } from '../../state/notify.ts'

interface Named {
  id: string
  name: string
}

interface Props {
  active: Named
  /** Undefined when the person can't use it any more. */
  shown: Named | undefined
  /** The page may hold work that was not saved. */
  mayHaveChanges: boolean
}

/** Stays until the person has decided: every call of this page would be refused. */
export default function SwitchedDialog({ active, shown, mayHaveChanges }: Props) {
  const [busy, setBusy] = useState(false)
  const run = async (decide: () => Promise<void>) => {
    setBusy(true)
    try {
      await decide()
    } catch (error) {
      notify.error(`Couldn’t switch: ${errorMessage(error)}`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog.Root open role="alertdialog" placement="center" closeOnEscape={false} closeOnInteractOutside={false}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title overflowWrap="anywhere">You are in “{active.name}” now</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>
              <Dialog.Description asChild>
                <Stack gap="2" overflowWrap="anywhere">
                  <Text>
                    {shown
                      ? `This tab still shows “${shown.name}”. Continue in “${active.name}”, or switch back.`
                      : `You can’t use the workspace that this tab shows any more. Continue in “${active.name}”.`}
                  </Text>
                  {mayHaveChanges && shown && (
                    <Text>You’ll lose unsaved changes if you continue. Switch back to save them first.</Text>
                  )}
                </Stack>
              </Dialog.Description>
            </Dialog.Body>
            <Dialog.Footer flexWrap="wrap">
              {shown && (
                <Button variant="outline" disabled={busy} onClick={() => run(() => switchBack(shown.id))}>
                  Switch back
                </Button>
              )}
              <Button colorPalette="accent" disabled={busy} onClick={() => run(goOn)}>
                Continue
              </Button>
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
