import { Box, Dialog, Flex, Kbd, Portal, Text } from '@chakra-ui/react'
import { bindings, clipboardKeys } from '../store/keyboard.ts'

const mac = typeof navigator !== 'undefined' && /Mac|iP(hone|ad)/.test(navigator.userAgent)

/** The keyboard shortcuts of the canvas. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog.Root open onOpenChange={({ open }) => !open && onClose()}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>Keyboard</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body pb="6">
              <Text fontSize="sm" color="fg.muted" mb="3">
                Press Tab to move between nodes. Single keys work while the canvas has focus.
              </Text>
              <Box as="ul" listStyleType="none">
                {[...bindings, ...clipboardKeys].map(({ keys, does }) => (
                  <Flex as="li" key={keys} justify="space-between" py="1" gap="4">
                    <Text fontSize="sm">{does.replaceAll('Mod', mac ? '⌘' : 'Ctrl')}</Text>
                    <Kbd flex="none">{keys.replaceAll('Mod', mac ? '⌘' : 'Ctrl')}</Kbd>
                  </Flex>
                ))}
              </Box>
            </Dialog.Body>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
