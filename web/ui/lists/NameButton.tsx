import { Text, Link as TextLink } from '@chakra-ui/react'
import type { ReactNode } from 'react'

const TEXT = { fontWeight: 'medium', minW: '0', overflowWrap: 'anywhere' } as const

/** The name of a row, which opens the row's dialog. `onOpen` is false for those who may not. */
export function NameButton({ onOpen, children }: { onOpen: (() => void) | false; children: ReactNode }) {
  if (!onOpen) return <Text {...TEXT}>{children}</Text>
  return (
    <TextLink asChild {...TEXT} color="fg" minH="6" textAlign="start">
      <button type="button" onClick={onOpen}>
        {children}
      </button>
    </TextLink>
  )
}
