import '@fontsource-variable/inter/wght.css'
import { ChakraProvider } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { Toasts } from '../feedback/Toasts.tsx'
import { system } from './theme.ts'

/** The design system and its toasts, around the whole product. */
export function Provider({ children }: { children: ReactNode }) {
  return (
    <ChakraProvider value={system}>
      {children}
      <Toasts />
    </ChakraProvider>
  )
}
