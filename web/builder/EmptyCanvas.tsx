import { Button, Flex, Text } from '@chakra-ui/react'
import { IconWand } from '@tabler/icons-react'
import { useCanvasValue } from '../canvas/store/hooks.ts'
import type { Canvas } from '../canvas/store/store.ts'
import { useCanEdit } from './use-can-edit.ts'

/** The hint on an empty canvas, for people who may edit. */
export function EmptyCanvas({ canvas, onDescribe }: { canvas: Canvas; onDescribe: () => void }) {
  const { kind } = canvas
  const hint = useCanvasValue(canvas, ({ flow }) => kind.emptyHint(flow))
  if (!useCanEdit(kind)) return null
  return (
    <Flex direction="column" align="start" gap="3">
      <Text color="fg.muted" fontSize="sm">
        {hint}
      </Text>
      {kind.flow.generator !== null && (
        <Button size="sm" variant="outline" bg="bg.panel" pointerEvents="auto" onClick={onDescribe}>
          <IconWand size={16} aria-hidden /> Describe what you want
        </Button>
      )}
    </Flex>
  )
}
