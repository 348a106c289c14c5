import {
  type Icon,
  IconApps,
  IconBolt,
  IconBooks,
  IconBuilding,
  IconBuildingStore,
  IconFiles,
  IconHierarchy3,
  IconKey,
  IconListSearch,
  IconLock,
  IconMessages,
  IconPlayerPlay,
  IconRobot,
  IconTool,
  IconUserCircle,
  IconVariable,
} from '@tabler/icons-react'
import type { AreaIcon as AreaIconName } from '#contract/areas.ts'

const icons: Record<AreaIconName, Icon> = {
  IconBuilding,
  IconBolt,
  IconBooks,
  IconFiles,
  IconBuildingStore,
  IconHierarchy3,
  IconKey,
  IconListSearch,
  IconLock,
  IconMessages,
  IconPlayerPlay,
  IconRobot,
  IconTool,
  IconUserCircle,
  IconVariable,
}

/** The icon of an area, by its Tabler name. */
export const areaIcon = (name: string): Icon => (Object.hasOwn(icons, name) ? icons[name as AreaIconName] : IconApps)

/** Renders an area's icon by its Tabler name. */
export function AreaIcon({ name, size }: { name: string; size: number }) {
  const Shown = areaIcon(name)
  return <Shown size={size} aria-hidden />
}
