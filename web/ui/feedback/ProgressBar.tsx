import { Box } from '@chakra-ui/react'

interface Props {
  label: string
  /** From 0 to 100; undefined while nobody knows how much there is. */
  percent: number | undefined
  /** What a screen reader says in place of the percentage. */
  text?: string
  thin?: boolean
}

/** Progress of long work. */
export function ProgressBar({ label, percent, text, thin }: Props) {
  return (
    <Box
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent !== undefined && { 'aria-valuenow': Math.round(percent) })}
      aria-valuetext={text}
      h={thin ? '1' : '2'}
      borderRadius="full"
      bg="bg.emphasized"
      overflow="hidden"
    >
      <Box h="full" bg="accent.solid" transition="width 0.3s" style={{ width: `${percent ?? 0}%` }} />
    </Box>
  )
}
