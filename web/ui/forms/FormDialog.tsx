import { Button, CloseButton, Dialog, Flex, Portal } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { confirm } from '../../state/confirm.ts'
import { useReturnedFocus } from '../use-returned-focus.ts'
import { Form } from './Form.tsx'
import type { FormState } from './use-form.ts'

interface Props {
  title: string
  /** Label of the submit button. */
  submit: string
  /** It destroys something. */
  danger?: boolean
  form: FormState
  size?: 'sm' | 'md' | 'lg' | 'xl'
  onClose(): void
  children: ReactNode
}

/** A form in a dialog. Mount it while open; closing with unsaved changes asks for confirmation. */
export function FormDialog({ title, submit, danger = false, form, size = 'sm', onClose, children }: Props) {
  useReturnedFocus()
  const close = async () => {
    if (
      form.dirty &&
      !(await confirm({
        title: 'Discard changes?',
        confirmButtonName: 'Discard',
        cancelButtonName: 'Keep editing',
        danger: true,
      }))
    )
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
        <Dialog.Positioner pb="0" scrollPaddingBottom="24">
          {/* The space below stands inside, or the footer of a tall form would stick above it. */}
          <Flex my="auto" pb="4" w="full" justify="center">
            <Dialog.Content my="0">
              <Dialog.Header>
                <Dialog.Title>{title}</Dialog.Title>
              </Dialog.Header>
              <Dialog.Body>
                <Form onSubmit={form.submit} summary={form.errors.summary}>
                  {children}
                  {/* In view where the form is taller than the window. */}
                  <Dialog.Footer position="sticky" bottom="0" mx="-6" px="6" py="3" bg="bg.panel">
                    <Button variant="outline" onClick={close}>
                      Cancel
                    </Button>
                    <Button
                      type="submit"
                      colorPalette={danger ? 'danger' : 'accent'}
                      loading={form.busy}
                      loadingText={submit}
                    >
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
          </Flex>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
