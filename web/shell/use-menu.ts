import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { isMenuItemVisible } from '#contract/access/menu.ts'
import { platformOf } from '#contract/access/platform.ts'
import { session } from '../api/session.ts'
import { loadSettings } from '../api/settings.ts'
import { type MenuItem, menuItems } from './menu.ts'

/** The menu's items that this person may see. */
export function useMenu(): MenuItem[] {
  const router = useRouter()
  const viewer = useSnapshot(session)
  const { data: settings } = useQuery({
    queryKey: ['settings'],
    queryFn: loadSettings,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(() => {
    if (!settings) return []
    const asViewer = { ...viewer, platform: platformOf(settings.PLATFORM_TYPE) }
    return menuItems(router).filter((item) => isMenuItemVisible(item, asViewer))
  }, [router, viewer, settings])
}
