import { Button, Dialog, Portal } from '@chakra-ui/react'
import { useRef, useState } from 'react'

interface LeaveDialogProps {
  /** False for people who cannot save. */
  mayEdit: boolean
  onStay: () => void
  onDiscard: () => void
  onSave: () => Promise<void>
}

/** Asks before a person leaves a flow with unsaved changes. */
export default function LeaveDialog({ mayEdit, onStay, onDiscard, onSave }: LeaveDialogProps) {
  const [saving, setSaving] = useState(false)
  const stay = useRef<HTMLButtonElement>(null)
  const save = async () => {
    setSaving(true)
    await onSave()
  }
  return (
    <Dialog.Root
      role="alertdialog"
      placement="center"
      open
      initialFocusEl={() => stay.current}
      onOpenChange={({ open }) => !open && onStay()}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>Leave without saving?</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>
              <Dialog.Description>This flow has unsaved changes.</Dialog.Description>
            </Dialog.Body>
            <Dialog.Footer flexWrap="wrap">
              <Button ref={stay} variant="outline" onClick={onStay}>
                Keep editing
              </Button>
              <Button variant={mayEdit ? 'outline' : 'solid'} colorPalette="danger" onClick={onDiscard}>
                Discard
              </Button>
              {mayEdit && (
                <Button colorPalette="accent" loading={saving} onClick={() => void save()}>
                  Save and leave
                </Button>
              )}
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
