import { chakra, Flex, Image } from '@chakra-ui/react'
import { shownColor, shownIcon } from './appearance.ts'

/** A tool's picture, or its first letter, with its color as a small mark. */
export function ToolIcon({ tool }: { tool: { name: string; color: string; iconSrc: string | null } }) {
  const picture = shownIcon(tool.iconSrc)
  return (
    <Flex
      aria-hidden
      position="relative"
      flexShrink={0}
      boxSize="8"
      align="center"
      justify="center"
      borderWidth="1px"
      borderRadius="l2"
      bg="bg.subtle"
      fontSize="sm"
      fontWeight="medium"
    >
      {picture ? <Image src={picture} alt="" boxSize="5" objectFit="contain" /> : [...tool.name][0]?.toUpperCase()}
      <chakra.span
        position="absolute"
        bottom="-1"
        right="-1"
        boxSize="3"
        borderRadius="full"
        borderWidth="2px"
        borderColor="bg.panel"
        style={{ background: shownColor(tool.color) }}
      />
    </Flex>
  )
}
