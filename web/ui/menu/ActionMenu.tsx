import { cloneElement, type HTMLAttributes, lazy, type ReactElement, Suspense, useState } from 'react'
import type { OpenMenuProps } from './OpenMenu.tsx'

const load = () => import('./OpenMenu.tsx')
const OpenMenu = lazy(load)
const OPENING_KEYS = ['ArrowDown', 'ArrowUp']

/** A menu of actions behind a button. Its code loads when somebody reaches for the button. */
export function ActionMenu(menu: OpenMenuProps) {
  const [isWanted, setWanted] = useState(false)
  const trigger: ReactElement<HTMLAttributes<HTMLElement>> = menu.trigger
  const button = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: load,
    onFocus: load,
    onClick: () => setWanted(true),
    onKeyDown: ({ key }) => OPENING_KEYS.includes(key) && setWanted(true),
  })
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <OpenMenu {...menu} />
    </Suspense>
  )
}
