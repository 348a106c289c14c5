import { Button, Flex, Text } from '@chakra-ui/react'
import { IconWand } from '@tabler/icons-react'
import type { CanvasKind } from '#web/canvas/kinds/types.ts'
import { useCanEdit } from './use-can-edit.ts'

/** Two ways to begin, while there is room for them; nothing for those who may only look. */
export function EmptyCanvas({ kind, onDescribe }: { kind: CanvasKind; onDescribe: () => void }) {
  if (!useCanEdit(kind)) return null
  return (
    <Flex
      position="absolute"
      insetX="0"
      top={{ base: '6', md: '16' }}
      direction="column"
      align="center"
      gap="3"
      px="4"
      textAlign="center"
      pointerEvents="none"
    >
      <Text color="fg.muted">Add nodes from the palette and connect them, or let a model draw a first version.</Text>
      <Button size="sm" variant="outline" bg="bg.panel" pointerEvents="auto" onClick={onDescribe}>
        <IconWand size={16} aria-hidden /> Describe what you want
      </Button>
    </Flex>
  )
}
