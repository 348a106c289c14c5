import {
  type Icon,
  IconApps,
  IconBolt,
  IconBooks,
  IconBuilding,
  IconBuildingStore,
  IconFiles,
  IconFingerprint,
  IconHierarchy3,
  IconHistory,
  IconKey,
  IconListSearch,
  IconLock,
  IconMessages,
  IconPlayerPlay,
  IconRobot,
  IconShieldCog,
  IconTool,
  IconUserCircle,
  IconUserShield,
  IconUsers,
  IconVariable,
} from '@tabler/icons-react'
import type { AreaIcon as AreaIconName } from '#contract/areas.ts'

const icons: Record<AreaIconName, Icon> = {
  IconBuilding,
  IconBolt,
  IconBooks,
  IconFiles,
  IconFingerprint,
  IconBuildingStore,
  IconHierarchy3,
  IconHistory,
  IconKey,
  IconListSearch,
  IconLock,
  IconMessages,
  IconPlayerPlay,
  IconRobot,
  IconShieldCog,
  IconTool,
  IconUserCircle,
  IconUserShield,
  IconUsers,
  IconVariable,
}

/** The icon of an area, by its Tabler name. */
export const areaIcon = (name: string): Icon => (Object.hasOwn(icons, name) ? icons[name as AreaIconName] : IconApps)

/** Renders an area's icon by its Tabler name. */
export function AreaIcon({ name, size }: { name: string; size: number }) {
  const Shown = areaIcon(name)
  return <Shown size={size} aria-hidden />
}
