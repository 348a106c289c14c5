import { Button, Dialog, Portal } from '@chakra-ui/react'
import { CopyBlock } from '../../ui/CopyField.tsx'
import { Notice } from '../../ui/feedback/Notice.tsx'

/** Shows new recovery codes once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose(): void }) {
  return (
    <Dialog.Root open placement="center" closeOnInteractOutside={false} onOpenChange={({ open }) => !open && onClose()}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>Keep your recovery codes</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>
              <Notice kind="warning" mb="4">
                Each signs you in once when you don’t have your phone. They cannot be shown again.
              </Notice>
              <CopyBlock label="Recovery codes" value={codes.join('\n')} />
            </Dialog.Body>
            <Dialog.Footer>
              <Button colorPalette="accent" onClick={onClose}>
                I kept them
              </Button>
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
