import { ChakraProvider } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { ConfirmHost } from '../feedback/ConfirmHost.tsx'
import { fullSystem } from './full-theme.ts'

/** All theme recipes and the confirm dialog, loaded with the layouts behind sign-in. */
export function FullTheme({ children }: { children: ReactNode }) {
  return (
    <ChakraProvider value={fullSystem}>
      {children}
      <ConfirmHost />
    </ChakraProvider>
  )
}
