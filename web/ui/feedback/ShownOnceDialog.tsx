import { Button, Dialog, Portal } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { CopyField } from '../CopyField.tsx'
import { Notice } from './Notice.tsx'

interface Props {
  title: string
  /** Name of the secret, such as `API key`. */
  label: string
  value: string
  /** Stands below the secret. */
  children?: ReactNode
  onClose(): void
}

/** Shows a new secret once. */
export function ShownOnceDialog({ title, label, value, children, onClose }: Props) {
  return (
    <Dialog.Root open placement="center" closeOnInteractOutside={false} onOpenChange={({ open }) => !open && onClose()}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>{title}</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>
              <Notice kind="warning" mb="4">
                Copy it now: it cannot be shown again.
              </Notice>
              <CopyField label={label} value={value} />
              {children}
            </Dialog.Body>
            <Dialog.Footer>
              <Button colorPalette="accent" onClick={onClose}>
                Done
              </Button>
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
