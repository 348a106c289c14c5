import { chakra } from '@chakra-ui/react'
import { type ReactNode, useState } from 'react'

interface CollapsibleProps {
  title: string
  /** At first; from then on it is as the person leaves it. */
  open?: boolean
  children: ReactNode
}

/** A part that a person opens when it is wanted. */
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
