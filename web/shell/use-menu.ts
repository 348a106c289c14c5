import { isMenuItemVisible } from '#contract/access/menu.ts'
import { useViewer } from '../api/use-can.ts'
import { type MenuItem, menuItems } from './menu.ts'

/** The menu's items that this person may see. */
export function useMenu(): MenuItem[] {
  const viewer = useViewer()
  return viewer ? menuItems.filter((item) => isMenuItemVisible(item, viewer)) : []
}
