import { useRouter } from '@tanstack/react-router'
import { isMenuItemVisible } from '#contract/access/menu.ts'
import { useViewer } from '../api/use-can.ts'
import { type MenuItem, menuItems } from './menu.ts'

/** The menu's items that this person may see. */
export function useMenu(): MenuItem[] {
  const router = useRouter()
  const viewer = useViewer()
  return viewer ? menuItems(router).filter((item) => isMenuItemVisible(item, viewer)) : []
}
