import { Button, Text } from '@chakra-ui/react'
import { lazy, Suspense, useState } from 'react'
import type { UsagesQuery } from '#contract/usages/usages.ts'

const load = () => import('./UsersPopover.tsx')
const UsersPopover = lazy(load)

interface UsedByProps {
  of: UsagesQuery
  /** The asset's name, for screen readers. */
  name: string
  count: number
}

/** A cell of a list: "3 places", which opens the names of the users with links. */
export function UsedBy({ of, name, count }: UsedByProps) {
  const [isWanted, setWanted] = useState(false)
  if (count === 0) return <Text color="fg.muted">Not used</Text>
  const label = count === 1 ? '1 place' : `${count} places`
  const button = (
    <Button
      variant="ghost"
      size="sm"
      px="2"
      mx="-2"
      aria-haspopup="dialog"
      aria-label={`${name} is used in ${label}`}
      onPointerEnter={load}
      onFocus={load}
      onClick={() => setWanted(true)}
    >
      {label}
    </Button>
  )
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <UsersPopover of={of} trigger={button} />
    </Suspense>
  )
}
