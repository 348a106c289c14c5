/** The App Switcher's cards: the areas that exist, each for who may open it. */
import type { Feature, FeatureList } from '#contract/features.ts'

interface Area extends Feature {
  permission: string
  category: string
}

const AREAS: Area[] = [
  {
    title: 'Agentflows',
    description: 'Draw agents and workflows on the canvas and talk to them',
    color: '#0f766e',
    icon: 'IconUsersGroup',
    path: '/agentflows',
    permission: 'agentflows:view',
    category: 'Build',
  },
  {
    title: 'Executions',
    description: 'See what every run did, step by step, and what it cost',
    color: '#4f46e5',
    icon: 'IconListCheck',
    path: '/executions',
    permission: 'executions:view',
    category: 'Build',
  },
  {
    title: 'Credentials',
    description: 'Keys of model providers and services, encrypted',
    color: '#b45309',
    icon: 'IconLock',
    path: '/credentials',
    permission: 'credentials:view',
    category: 'Assets',
  },
  {
    title: 'Variables',
    description: 'Values that flows share',
    color: '#be185d',
    icon: 'IconVariable',
    path: '/variables',
    permission: 'variables:view',
    category: 'Assets',
  },
  {
    title: 'API Keys',
    description: 'Let programs call this workspace',
    color: '#0369a1',
    icon: 'IconKey',
    path: '/apikey',
    permission: 'apikeys:view',
    category: 'Assets',
  },
]

/** `categories` maps each category to the paths of its features. */
export function featureList(mayOpen: (permission: string) => boolean): FeatureList {
  const areas = AREAS.filter((area) => mayOpen(area.permission))
  const categories = Object.groupBy(areas, (area) => area.category)
  return {
    features: areas.map(({ permission: _, category: __, ...feature }) => feature),
    categories: Object.fromEntries(
      Object.entries(categories).map(([name, members = []]) => [name, members.map((area) => area.path)]),
    ),
  }
}
