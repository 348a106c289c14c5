import { Button, Dialog, Flex, Portal, Spinner, Text } from '@chakra-ui/react'
import { useEffect, useState } from 'react'

/** Progress while the model designs a flow, with a way to cancel. */
export function Building({ onCancel }: { onCancel: () => void }) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((now) => now + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <Dialog.Root open placement="center" onOpenChange={({ open }) => !open && onCancel()}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>Designing your flow</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>
              <Flex align="center" gap="4">
                <Spinner size="lg" color="accent.solid" />
                <Text role="status">
                  {seconds < 10 ? 'Choosing and connecting nodes…' : 'Checking and correcting the flow…'}
                </Text>
                <Text color="fg.muted" ms="auto" aria-hidden>
                  {seconds} s
                </Text>
              </Flex>
            </Dialog.Body>
            <Dialog.Footer>
              <Button variant="outline" onClick={onCancel}>
                Cancel
              </Button>
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
