import { useEffect, useState } from 'react'

/** Another dialog that has opened meanwhile would close when the focus leaves it. */
const DIALOG = '[role=dialog][data-state=open], [role=alertdialog][data-state=open]'

/**
 * Returns the focus to where it was when a dialog was mounted. The dialog does so by itself, except after a first field
 * that takes the focus before the dialog looks for its opener.
 */
export function useReturnedFocus(): void {
  const [opener] = useState(findOpener)
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body && !document.querySelector(DIALOG)) opener?.focus()
      })
    },
    [opener],
  )
}

/** The focused element. Items of a menu disappear with it, so it is the button of the menu then. */
function findOpener(): HTMLElement | null {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null
  const menu = focused?.closest('[role=menu]')
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused
}
