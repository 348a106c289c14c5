import { Flex } from '@chakra-ui/react'

/** Marks one of two compared runs as A or B. */
export function RunBadge({ mark }: { mark: 'A' | 'B' }) {
  return (
    <Flex
      w="7"
      h="7"
      flexShrink="0"
      align="center"
      justify="center"
      borderRadius="full"
      fontWeight="semibold"
      fontSize="sm"
      colorPalette={mark === 'A' ? 'gray' : 'accent'}
      bg="colorPalette.subtle"
      color="colorPalette.fg"
    >
      {mark}
    </Flex>
  )
}
