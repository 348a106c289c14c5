import { Button, Dialog, Flex, Input, Portal } from '@chakra-ui/react'
import { IconCopy } from '@tabler/icons-react'
import type { NewApiKey } from '#contract/apikeys.ts'
import { Notice } from '../../ui/Notice.tsx'
import { notify } from '../../ui/notify.ts'

/** Shows a new key, for the only time. */
export function NewKeyDialog({ created, onClose }: { created: NewApiKey; onClose(): void }) {
  const copy = () =>
    navigator.clipboard.writeText(created.apiKey).then(
      () => notify.success('API key copied'),
      () => notify.error('The key could not be copied. Select it and copy it yourself.'),
    )
  return (
    <Dialog.Root open placement="center" closeOnInteractOutside={false} onOpenChange={({ open }) => !open && onClose()}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner p="4">
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>Your key “{created.keyName}”</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>
              <Notice kind="warning" mb="4">
                Copy the key now: it is not stored and cannot be shown again.
              </Notice>
              <Flex gap="2">
                <Input
                  readOnly
                  fontFamily="mono"
                  aria-label="API key"
                  value={created.apiKey}
                  onFocus={(event) => event.target.select()}
                />
                <Button variant="outline" onClick={copy}>
                  <IconCopy aria-hidden />
                  Copy
                </Button>
              </Flex>
            </Dialog.Body>
            <Dialog.Footer>
              <Button colorPalette="accent" onClick={onClose}>
                I have copied it
              </Button>
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
