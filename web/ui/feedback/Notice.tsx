import { Box, type BoxProps } from '@chakra-ui/react'

type Kind = 'info' | 'success' | 'warning' | 'danger'

/** A message within a page. Errors are announced. */
export function Notice({ kind = 'info', ...props }: { kind?: Kind } & BoxProps) {
  return (
    <Box
      role={kind === 'danger' ? 'alert' : 'note'}
      colorPalette={kind === 'info' ? 'accent' : kind}
      bg="colorPalette.subtle"
      color="colorPalette.fg"
      borderWidth="1px"
      borderColor="colorPalette.muted"
      borderRadius="l2"
      textStyle="sm"
      px="4"
      py="3"
      {...props}
    />
  )
}
