import { chakra } from '@chakra-ui/react'
import { type ReactNode, useState } from 'react'

interface CollapsibleProps {
  title: string
  /** Initial state. */
  open?: boolean
  children: ReactNode
}

/** A collapsible section. */
export function Collapsible({ title, open = false, children }: CollapsibleProps) {
  const [atFirst] = useState(open)
  return (
    <chakra.details open={atFirst}>
      <chakra.summary cursor="pointer" minH="6" fontSize="sm" fontWeight="semibold">
        {title}
      </chakra.summary>
      {children}
    </chakra.details>
  )
}
