import { Tooltip as ChakraTooltip, Portal } from '@chakra-ui/react'
import type { ReactElement, ReactNode } from 'react'

/** A short text on hover and on keyboard focus. The child must take a ref and props. */
export function Tooltip({ content, children }: { content: ReactNode; children: ReactElement }) {
  return (
    <ChakraTooltip.Root openDelay={300} closeDelay={100} closeOnClick={false}>
      <ChakraTooltip.Trigger asChild>{children}</ChakraTooltip.Trigger>
      <Portal>
        <ChakraTooltip.Positioner>
          <ChakraTooltip.Content>{content}</ChakraTooltip.Content>
        </ChakraTooltip.Positioner>
      </Portal>
    </ChakraTooltip.Root>
  )
}
