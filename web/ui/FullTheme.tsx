import { ChakraProvider } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { ConfirmHost } from './ConfirmHost.tsx'
import { fullSystem } from './full-theme.ts'

/** Every recipe and the confirm dialog, for the layouts behind the sign-in: they load it with themselves. */
export function FullTheme({ children }: { children: ReactNode }) {
  return (
    <ChakraProvider value={fullSystem}>
      {children}
      <ConfirmHost />
    </ChakraProvider>
  )
}
