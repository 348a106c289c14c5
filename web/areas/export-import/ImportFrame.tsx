import { CloseButton, Dialog, Portal } from '@chakra-ui/react'
import type { ReactNode } from 'react'

/** The dialog around each step of an import. Without `onClose`, it cannot be closed. */
export function ImportFrame({ title, onClose, children }: { title: string; onClose?(): void; children: ReactNode }) {
  return (
    <Dialog.Root
      open
      size="lg"
      placement="center"
      scrollBehavior="outside"
      closeOnEscape={onClose !== undefined}
      closeOnInteractOutside={false}
      onOpenChange={({ open }) => !open && onClose?.()}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title overflowWrap="anywhere">{title}</Dialog.Title>
            </Dialog.Header>
            {onClose && (
              <Dialog.CloseTrigger asChild>
                <CloseButton size="sm" />
              </Dialog.CloseTrigger>
            )}
            {children}
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
