import { Box, Drawer, Flex, IconButton, Portal, useMediaQuery } from '@chakra-ui/react'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface BottomSheetProps {
  open: boolean
  label: string
  onClose: () => void
  /** True when the content has its own close button. */
  closesItself?: boolean
  /** Opens at the side on wide screens. */
  side?: boolean
  children: ReactNode
}

/** A panel at the bottom of the page; at its side on wide screens with `side`. */
export function BottomSheet({ open, label, onClose, closesItself = false, side = false, children }: BottomSheetProps) {
  const [wide] = useMediaQuery(['(min-width: 48em)'], { ssr: false })
  const atSide = side && wide
  return (
    <Drawer.Root
      open={open}
      placement={atSide ? 'end' : 'bottom'}
      onOpenChange={(change) => !change.open && onClose()}
      lazyMount
    >
      <Portal>
        <Drawer.Backdrop />
        <Drawer.Positioner>
          <Drawer.Content
            {...(atSide ? { maxWidth: '420px' } : { height: '75dvh', roundedTop: '2xl' })}
            aria-label={label}
          >
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
