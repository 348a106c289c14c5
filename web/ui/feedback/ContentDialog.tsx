import { CloseButton, Dialog, type DialogBodyProps, Portal } from '@chakra-ui/react'
import type { ReactNode } from 'react'

interface Props {
  title: string
  size?: 'sm' | 'md' | 'lg'
  /** What scrolls when the content is taller than the window: the body, or the dialog. */
  scroll?: 'inside' | 'outside'
  body?: DialogBodyProps
  /** Buttons below the body. */
  footer?: ReactNode
  onClose(): void
  children: ReactNode
}

/** Something to look at or choose from. Mount it while open. */
export function ContentDialog({ title, size = 'md', scroll = 'inside', body, footer, onClose, children }: Props) {
  return (
    <Dialog.Root
      open
      size={size}
      placement="center"
      scrollBehavior={scroll}
      onOpenChange={({ open }) => !open && onClose()}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title overflowWrap="anywhere">{title}</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body {...body}>{children}</Dialog.Body>
            {footer && <Dialog.Footer>{footer}</Dialog.Footer>}
            {/* Last, so that the first field has the focus. */}
            <Dialog.CloseTrigger asChild>
              <CloseButton size="sm" />
            </Dialog.CloseTrigger>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
