import { isMenuItemVisible } from '#contract/access/menu.ts'
import { useViewer } from '../api/use-can.ts'
import { type MenuItem, menuItems } from './menu.ts'

/** Returns the menu items that the user can see. */
export function useMenu(): MenuItem[] {
  const viewer = useViewer()
  return viewer ? menuItems.filter((item) => isMenuItemVisible(item, viewer)) : []
}
