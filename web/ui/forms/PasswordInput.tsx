import { Box, chakra, Input, type InputProps, VisuallyHidden } from '@chakra-ui/react'
import { useState } from 'react'

interface PasswordInputProps extends InputProps {
  /** What the button shows and hides, for screen readers. */
  noun?: string
}

/** A secret that can be shown while it is typed. Goes into a `Field`. */
export function PasswordInput({ noun = 'password', ...props }: PasswordInputProps) {
  const [isShown, setShown] = useState(false)
  return (
    <Box position="relative" w="full">
      <Input {...props} type={isShown ? 'text' : 'password'} pe="16" />
      <chakra.button
        type="button"
        position="absolute"
        insetY="0"
        insetEnd="0"
        px="3"
        fontSize="sm"
        color="fg.muted"
        borderRadius="l2"
        onClick={() => setShown(!isShown)}
      >
        {isShown ? 'Hide' : 'Show'}
        <VisuallyHidden> {noun}</VisuallyHidden>
      </chakra.button>
    </Box>
  )
}
