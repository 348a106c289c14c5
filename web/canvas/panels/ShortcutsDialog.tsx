import { Box, Flex, Heading, Kbd, Text } from '@chakra-ui/react'
import { ContentDialog } from '../../ui/feedback/ContentDialog.tsx'
import { bindings, clipboardKeys, GROUPS, printKeys } from '../interactions/keyboard.ts'

const ALL = [...bindings, ...clipboardKeys]

/** Longer than a small window: keys must be able to scroll it. */
const BODY = { pb: '6', tabIndex: 0, 'data-no-autofocus': '' }

/** The keyboard shortcuts of the canvas. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <ContentDialog title="Keyboard shortcuts" size="lg" body={BODY} onClose={onClose}>
      <Text fontSize="sm" color="fg.muted" mb="4">
        Press Tab to move between nodes. Single keys work while the canvas has focus.
      </Text>
      <Box columnCount={{ base: 1, md: 2 }} columnGap="8">
        {GROUPS.map((group) => (
          <Box key={group} breakInside="avoid" mb="4">
            <Heading as="h3" fontSize="xs" color="fg.muted" mb="1">
              {group}
            </Heading>
            <Box as="ul" listStyleType="none" aria-label={group}>
              {ALL.filter((each) => each.group === group).map(({ keys, does }) => (
                <Shortcut key={keys} keys={keys} does={printKeys(does)} />
              ))}
            </Box>
          </Box>
        ))}
      </Box>
    </ContentDialog>
  )
}

function Shortcut({ keys, does }: { keys: string; does: string }) {
  return (
    <Flex as="li" justify="space-between" align="start" py="1" gap="4">
      <Text fontSize="sm">{does}</Text>
      <Kbd flex="none">{printKeys(keys)}</Kbd>
    </Flex>
  )
}
