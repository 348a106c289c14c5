import { Button, Flex, IconButton, Text } from '@chakra-ui/react'
import { IconChevronDown, IconDeviceFloppy } from '@tabler/icons-react'
import { ActionMenu } from '../ui/menu/ActionMenu.tsx'

interface Props {
  dirty: boolean
  saving: boolean
  onSave: () => void
  onSaveWithNote: () => void
  onPublish: () => void
}

/** Saves. The menu beside it saves with a note or publishes. */
export function SaveButton({ dirty, saving, onSave, onSaveWithNote, onPublish }: Props) {
  const look = { size: 'sm', colorPalette: 'accent', variant: dirty ? 'solid' : 'outline' } as const
  return (
    <Flex>
      <Button
        {...look}
        px="3"
        borderEndRadius={{ md: '0' }}
        loading={saving}
        aria-label="Save"
        title="Save (Ctrl or ⌘ + S)"
        onClick={onSave}
      >
        <IconDeviceFloppy size={18} />
        <Text as="span" hideBelow="lg">
          Save
        </Text>
      </Button>
      <ActionMenu
        actions={[
          { label: 'Save with a note…', onSelect: onSaveWithNote },
          { label: 'Save and publish…', onSelect: onPublish },
        ]}
        trigger={
          <IconButton
            {...look}
            minW="7"
            px="0"
            ms="-1px"
            borderStartRadius="0"
            hideBelow="md"
            aria-label="More save options"
          >
            <IconChevronDown size={16} />
          </IconButton>
        }
      />
    </Flex>
  )
}
