import { Button, CloseButton, Dialog, Portal } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { confirm } from '../state/confirm.ts'
import { Form } from './Form.tsx'

interface Props {
  title: string
  /** The button: `Save`. */
  submit: string
  busy: boolean
  /** Closing then asks first. */
  dirty: boolean
  summary?: string
  size?: 'sm' | 'md' | 'lg'
  onSubmit(): void
  onClose(): void
  children: ReactNode
}

/** A form in a dialog. It is mounted while it is open; unsaved changes ask before they are lost. */
export function FormDialog({ title, submit, busy, dirty, summary, size = 'sm', onSubmit, onClose, children }: Props) {
  const close = async () => {
    if (dirty && !(await confirm({ title: 'Discard your changes?', confirmButtonName: 'Discard', danger: true })))
      return
    onClose()
  }
  return (
    <Dialog.Root
      open
      size={size}
      placement="center"
      scrollBehavior="outside"
      onOpenChange={({ open }) => !open && close()}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner p="4">
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>{title}</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>
              <Form onSubmit={onSubmit} summary={summary}>
                {children}
                <Dialog.Footer p="0">
                  <Button variant="outline" onClick={close}>
                    Cancel
                  </Button>
                  <Button type="submit" colorPalette="accent" loading={busy} loadingText={submit}>
                    {submit}
                  </Button>
                </Dialog.Footer>
              </Form>
            </Dialog.Body>
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
