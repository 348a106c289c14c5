/** The product's areas. Menu, bottom navigation, search, App Switcher, section bar and route guard read this list. */
import type { RouteRules } from './access/guard.ts'

/** Groups of the menu; the main items have no heading. */
export const MENU_GROUPS = ['Main', 'Evaluations', 'User & Workspace Management', 'Others'] as const
type MenuGroup = (typeof MENU_GROUPS)[number]

export interface Area extends Pick<RouteRules, 'permission' | 'feature' | 'adminOnly'> {
  path: string
  /** The page's title. */
  title: string
  /** The menu's label, when it differs from the title. */
  label?: string
  description: string
  group: MenuGroup
  /** Name of a Tabler icon component. */
  icon: string
  /** A colour token of the theme. */
  color: string
  /** The menu has it for the platform admin only. */
  cloudAdmin?: true
  /** Also shown in the bottom navigation on phones. */
  bottom?: boolean
  /** The agent framework whose section in the top bar opens this area. */
  framework?: 'langflow' | 'adk' | 'crewai' | 'autogen'
}

/** The areas, in the order of the menu. */
export const AREAS = [
  {
    path: '/agentflows',
    title: 'Agentflows',
    label: 'Langflow',
    description: 'Build and test agents on a canvas',
    permission: 'agentflows:view',
    group: 'Main',
    icon: 'IconHierarchy3',
    color: 'mark.teal',
    bottom: true,
    framework: 'langflow',
  },
  {
    path: '/chatflows',
    title: 'Chatflows',
    description: 'Build chatbots from models, memory, tools and documents',
    permission: 'chatflows:view',
    group: 'Main',
    icon: 'IconMessages',
    color: 'mark.blue',
  },
  {
    path: '/executions',
    title: 'Executions',
    description: 'Inspect the steps and cost of every run',
    permission: 'executions:view',
    group: 'Main',
    icon: 'IconPlayerPlay',
    color: 'mark.indigo',
    bottom: true,
  },
  {
    path: '/marketplaces',
    title: 'Marketplace',
    description: 'Start from a template',
    permission: 'templates:marketplace,templates:custom',
    group: 'Main',
    icon: 'IconBuildingStore',
    color: 'mark.violet',
  },
  {
    path: '/tools',
    title: 'Tools',
    description: 'Functions and MCP servers that agents can use',
    permission: 'tools:view',
    group: 'Main',
    icon: 'IconTool',
    color: 'mark.green',
    bottom: true,
  },
  {
    path: '/triggers',
    title: 'Triggers',
    description: 'Run flows on a schedule or by webhook',
    group: 'Main',
    icon: 'IconBolt',
    color: 'mark.orange',
  },
  {
    path: '/assistants',
    title: 'Assistants',
    description: 'A model with instructions and tools, made in a form',
    permission: 'assistants:view',
    group: 'Main',
    icon: 'IconRobot',
    color: 'mark.indigo',
    bottom: true,
  },
  {
    path: '/credentials',
    title: 'Credentials',
    description: 'Encrypted keys for model providers and tools',
    permission: 'credentials:view',
    group: 'Main',
    icon: 'IconLock',
    color: 'mark.amber',
  },
  {
    path: '/variables',
    title: 'Variables',
    description: 'Values that every flow of this workspace can use',
    permission: 'variables:view',
    group: 'Main',
    icon: 'IconVariable',
    color: 'mark.pink',
  },
  {
    path: '/document-stores',
    title: 'Document stores',
    description: 'Files, sites and notes that your flows search',
    permission: 'documentStores:view',
    group: 'Main',
    icon: 'IconBooks',
    color: 'mark.teal',
  },
  {
    path: '/apikey',
    title: 'API keys',
    description: 'Let programs run and manage your flows',
    permission: 'apikeys:view',
    group: 'Main',
    icon: 'IconKey',
    color: 'mark.blue',
  },
  {
    path: '/admin',
    title: 'Administration',
    description: 'System settings for administrators',
    adminOnly: true,
    cloudAdmin: true,
    group: 'User & Workspace Management',
    icon: 'IconShieldCog',
    color: 'mark.indigo',
  },
  {
    path: '/sso-config',
    title: 'Single sign-on',
    description: 'Identity providers that everybody may sign in with',
    permission: 'sso:manage',
    feature: 'feat:sso-config',
    adminOnly: true,
    cloudAdmin: true,
    group: 'User & Workspace Management',
    icon: 'IconFingerprint',
    color: 'mark.violet',
  },
  {
    path: '/roles',
    title: 'Roles',
    description: 'What people may do in the organization and its workspaces',
    permission: 'roles:manage',
    feature: 'feat:roles',
    adminOnly: true,
    cloudAdmin: true,
    group: 'User & Workspace Management',
    icon: 'IconUserShield',
    color: 'mark.amber',
  },
  {
    path: '/users',
    title: 'Users',
    description: 'The people of the organization, and their roles',
    permission: 'users:manage',
    feature: 'feat:users',
    adminOnly: true,
    cloudAdmin: true,
    group: 'User & Workspace Management',
    icon: 'IconUsers',
    color: 'mark.blue',
  },
  {
    path: '/workspaces',
    title: 'Workspaces',
    description: 'Separate flows, credentials and people within the organization',
    permission: 'workspace:view',
    feature: 'feat:workspaces',
    cloudAdmin: true,
    group: 'User & Workspace Management',
    icon: 'IconBuilding',
    color: 'mark.teal',
  },
  {
    path: '/login-activity',
    title: 'Login activity',
    description: 'Who signed in, how, and from where',
    permission: 'loginActivity:view',
    feature: 'feat:login-activity',
    adminOnly: true,
    cloudAdmin: true,
    group: 'User & Workspace Management',
    icon: 'IconHistory',
    color: 'mark.pink',
  },
  {
    path: '/files',
    title: 'Files',
    description: 'What people sent, and the space it takes',
    permission: 'agentflows:view,chatflows:view,documentStores:view',
    group: 'Others',
    icon: 'IconFiles',
    color: 'mark.teal',
  },
  {
    path: '/logs',
    title: 'Logs',
    description: 'Requests of this workspace that failed',
    permission: 'logs:view',
    feature: 'feat:logs',
    group: 'Others',
    icon: 'IconListSearch',
    color: 'mark.blue',
  },
  {
    path: '/account',
    title: 'Account',
    description: 'Your profile and security settings',
    group: 'Others',
    icon: 'IconUserCircle',
    color: 'mark.indigo',
  },
] as const satisfies readonly Area[]

export type AreaPath = (typeof AREAS)[number]['path']
export type AreaIcon = (typeof AREAS)[number]['icon']

/** Returns the area at a path. */
export const areaOf = (path: AreaPath) => AREAS.find((area) => area.path === path) as Area & { icon: AreaIcon }
