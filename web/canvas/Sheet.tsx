import { Box, Drawer, Flex, IconButton, Portal } from '@chakra-ui/react'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface SheetProps {
  open: boolean
  label: string
  onClose: () => void
  /** The content has a button that closes it. */
  closesItself?: boolean
  children: ReactNode
}

/** On a phone every panel comes up from below. */
export function Sheet({ open, label, onClose, closesItself = false, children }: SheetProps) {
  return (
    <Drawer.Root open={open} placement="bottom" onOpenChange={(change) => !change.open && onClose()} lazyMount>
      <Portal>
        <Drawer.Backdrop />
        <Drawer.Positioner>
          <Drawer.Content height="75dvh" roundedTop="2xl" aria-label={label}>
            {!closesItself && (
              <Flex justify="end" p="1">
                <IconButton size="sm" variant="ghost" aria-label={`Close: ${label}`} onClick={onClose}>
                  <IconX size={18} />
                </IconButton>
              </Flex>
            )}
            <Box flex="1" minHeight="0" overflowY="auto">
              {children}
            </Box>
          </Drawer.Content>
        </Drawer.Positioner>
      </Portal>
    </Drawer.Root>
  )
}
