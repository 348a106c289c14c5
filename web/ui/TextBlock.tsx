import { chakra } from '@chakra-ui/react'

/** Text as it is, in a box that scrolls by mouse and by keyboard. */
export function TextBlock({ label, text }: { label: string; text: string }) {
  return (
    <chakra.pre
      tabIndex={0}
      aria-label={label}
      mt="1"
      p="3"
      fontSize="xs"
      fontFamily="mono"
      bg="bg.subtle"
      borderRadius="lg"
      maxH="24rem"
      overflow="auto"
      whiteSpace="pre-wrap"
      overflowWrap="anywhere"
    >
      {text}
    </chakra.pre>
  )
}
