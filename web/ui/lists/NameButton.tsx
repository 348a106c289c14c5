import { Text, Link as TextLink } from '@chakra-ui/react'
import type { ReactNode } from 'react'

const TEXT_STYLE = { fontWeight: 'medium', minW: '0', overflowWrap: 'anywhere', lineClamp: '2' } as const

interface Props {
  /** Cut after two lines, and whole on hover. */
  name: string
  /** False for those who may not. */
  onOpen: (() => void) | false
  /** How the name looks, when not as text. */
  children?: ReactNode
}

/** The name of a row, which opens the row's dialog. */
export function NameButton({ name, onOpen, children = name }: Props) {
  if (!onOpen)
    return (
      <Text {...TEXT_STYLE} title={name}>
        {children}
      </Text>
    )
  return (
    <TextLink asChild {...TEXT_STYLE} color="fg" minH="6" textAlign="start">
      <button type="button" title={name} onClick={onOpen}>
        {children}
      </button>
    </TextLink>
  )
}
