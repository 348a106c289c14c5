import { useSnapshot } from 'valtio'
import { holds } from '#contract/access/check.ts'
import { platformOf } from '#contract/access/platform.ts'
import { session } from './session.ts'
import { useSettings } from './use-settings.ts'

/** Returns the user for access rules; undefined until the platform is known. */
export function useViewer() {
  const { isGlobal, isSSO, isPlatformAdmin, permissions, features } = useSnapshot(session)
  const { data } = useSettings()
  return data && { platform: platformOf(data.PLATFORM_TYPE), isGlobal, isSSO, isPlatformAdmin, permissions, features }
}

/** Returns a check for one of comma-separated permissions: `can('agentflows:create')`. */
export function useCan(): (permission: string) => boolean {
  const viewer = useViewer()
  return (permission) => viewer !== undefined && holds(viewer, permission)
}
