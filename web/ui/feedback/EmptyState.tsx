import { Box, Flex, Heading, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'

interface Props {
  title: string
  text: string
  action?: ReactNode
  /** It stands for a whole page, which has no other title. */
  isPage?: boolean
}

/** An empty state with an illustration, a text and one action. */
export function EmptyState({ title, text, action, isPage = false }: Props) {
  return (
    <Flex direction="column" align="center" textAlign="center" gap="2" py="16" px="4">
      <Box color="accent.border" mb="2">
        <LoomPicture />
      </Box>
      <Heading as={isPage ? 'h1' : 'h2'} size="lg">
        {title}
      </Heading>
      <Text color="fg.muted" maxW="md">
        {text}
      </Text>
      {action && <Box mt="4">{action}</Box>}
    </Flex>
  )
}

function LoomPicture() {
  return (
    <svg width="160" height="96" viewBox="0 0 160 96" fill="none" aria-hidden="true">
      {[20, 40, 60, 80, 100, 120, 140].map((x, thread) => (
        <path
          key={x}
          d={`M${x} 8 V${thread % 2 ? 44 : 34} M${x} ${thread % 2 ? 60 : 50} V88`}
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          opacity="0.55"
        />
      ))}
      <path
        d="M8 47 C 40 30, 52 64, 80 47 S 128 30, 152 47"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <rect x="66" y="38" width="28" height="18" rx="6" fill="currentColor" />
    </svg>
  )
}
