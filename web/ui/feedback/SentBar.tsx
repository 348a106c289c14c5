import { Box } from '@chakra-ui/react'

/** How much of a file was sent, in percent. */
export function SentBar({ name, percent }: { name: string; percent: number }) {
  return (
    <Box
      role="progressbar"
      aria-label={`Sending ${name}`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      h="1"
      borderRadius="full"
      bg="bg.emphasized"
      overflow="hidden"
    >
      <Box h="full" bg="accent.solid" style={{ width: `${percent}%` }} />
    </Box>
  )
}
