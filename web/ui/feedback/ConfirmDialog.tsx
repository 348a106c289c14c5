import { Button, Dialog, Portal } from '@chakra-ui/react'
import { useRef } from 'react'
import { useSnapshot } from 'valtio'
import { answerConfirm, confirmState } from '../../state/confirm.ts'

export default function ConfirmDialog() {
  const { show, request } = useSnapshot(confirmState)
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <Dialog.Root
      role="alertdialog"
      placement="center"
      open={show}
      initialFocusEl={() => cancel.current}
      onOpenChange={({ open }) => !open && answerConfirm(false)}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>{request.title}</Dialog.Title>
            </Dialog.Header>
            {request.description && (
              <Dialog.Body>
                <Dialog.Description>{request.description}</Dialog.Description>
              </Dialog.Body>
            )}
            <Dialog.Footer>
              <Button ref={cancel} variant="outline" onClick={() => answerConfirm(false)}>
                {request.cancelButtonName ?? 'Cancel'}
              </Button>
              <Button colorPalette={request.danger ? 'danger' : 'accent'} onClick={() => answerConfirm(true)}>
                {request.confirmButtonName ?? 'Confirm'}
              </Button>
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
