/** How the browser bundle is cut into files, and what each page tells the browser to load at once. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { addLinks } from './assets/headers-file.ts'
import { isOtherIcon } from './canvas-icons.ts'

/** Dialogs and menus with what they float on. */
const OVERLAY =
  /@floating-ui|@zag-js[\\/](dialog|menu|popper|focus-trap|aria-hidden|remove-scroll|dismissable|interact-outside)[\\/]|components[\\/](dialog|menu)[\\/]|web[\\/]ui[\\/].*Dialog\.tsx/

/** Code that few pages need, or only after a click: it stays in files of its own. */
const RARE = [
  OVERLAY,
  /web[\\/](areas|builder|canvas|chat|flows|usages|ui[\\/](json|menu|lists))[\\/](?!trace[\\/]tree|chat-storage)/,
  /web[\\/]inputs[\\/](?!option-hints|use-options|types)|web[\\/]ui[\\/](TextDiff|TemplateCard|FlowSketch)/,
  /codemirror|@lezer|style-mod|w3c-keyname|crelt|find-cluster-break|react-markdown|micromark|mdast|hast|@xyflow|[\\/]d3-/,
  /zod|croner|@dagrejs|eventsource-parser|node_modules[\\/]diff[\\/]/,
  /worker[\\/]contract[\\/](?!data[\\/](format|json)|runs[\\/]step-paths|flow[\\/]params[\\/]categories)/,
]

/** What a chat and a list of runs both show, with its rules: all without schemas. */
const ANSWERS =
  /contract[\\/](predictions[\\/]uploads|runs[\\/](approvers|artifacts|compare|follow-ups|sources|usage))|chat[\\/](Artifacts|approvals[\\/]approval-text|trace[\\/]StepIcon)/

/** What pages other than the canvas share. The canvas draws before it loads any of it. */
const BEYOND_CANVAS = [
  /@zag-js|@ark-ui|[\\/](mutationObserver|useMutation)\.js/,
  /@chakra-ui.*components[\\/](checkbox|checkmark|drawer|grid|link|radiomark|simple-grid|switch|table|tabs)[\\/]/,
  { test: isOtherIcon },
  /web[\\/](shell[\\/](AreaIcon|menu|use-menu)|api[\\/](templates|tools|upload|workspaces)|ui[\\/](forms|CopyField|PageTitle))/,
]

/** What drawing a flow takes: all without schemas. */
const DRAWING =
  /contract[\\/]flow[\\/](practice-model|params[\\/](?!categories)|references[\\/](?!reference-problems|suggestions|upstream)|document[\\/](?!document\.ts)|transfer[\\/](?!credential-needs)|kinds[\\/]agentflow[\\/](?!kind|problems|structure|condition-alerts)|rules[\\/](condition-alerts|problem\.|unsupported|verdict))/

/** What only a chat flow is drawn with. */
const CHAT_FLOW_DRAWING = /contract[\\/]flow[\\/]kinds[\\/]chatflow[\\/](?!kind|problems|structure)/

/** Rules of pages other than the canvas. */
const PAGE_RULES = /worker[\\/]contract[\\/](flow[\\/](diff|transfer[\\/]report)|triggers[\\/](index|describe))/

/**
 * Cut by what is used together. Each group takes what its modules import along; what a group before it took is out of
 * its reach.
 */
export const chunkGroups = [
  { name: 'app', tags: ['$initial' as const] },
  {
    name: 'providers',
    test: /web[\\/](shell[\\/](CanvasLayout|FullProvider)|ui[\\/](menu[\\/]ActionMenu|forms[\\/]FilePicker))|contract[\\/]data[\\/](format|json)/,
  },
  { name: 'flow', test: DRAWING, minShareCount: 2 },
  {
    name: 'common',
    test: (id: string) => ![...RARE, ...BEYOND_CANVAS].some((other) => other.test(id)),
    minShareCount: 2,
  },
  { name: 'shell', test: /web[\\/]shell[\\/]MainLayout/ },
  { name: 'pages', test: (id: string) => !RARE.some((rare) => rare.test(id)), minShareCount: 2 },
  {
    // Pages that check a flow or show a run load both.
    name: 'answers',
    test: (id: string) => ANSWERS.test(id) || CHAT_FLOW_DRAWING.test(id),
    minShareCount: 2,
  },
  {
    name: 'rules',
    test: (id: string) => /worker[\\/]contract[\\/]/.test(id) && !PAGE_RULES.test(id),
    minShareCount: 2,
  },
  { name: 'overlay', test: OVERLAY, minShareCount: 2 },
  { name: 'triggers', test: /web[\\/]inputs[\\/]trigger[\\/]/, minShareCount: 2 },
  { name: 'inputs', test: /web[\\/]inputs[\\/](?!references)/, minShareCount: 2 },
  { name: 'lists', test: /web[\\/](usages|ui[\\/]lists)[\\/]/, minShareCount: 2 },
  { name: 'runs', test: /web[\\/]chat[\\/](trace|Replay)/, minShareCount: 2 },
  {
    name: 'chat',
    test: /web[\\/]chat[\\/](?!ChatPanel|TriggerStart|approvals[\\/]Approvals|replay|speech[\\/]play|use-allowed)/,
    minShareCount: 2,
  },
  { name: 'canvas', test: /web[\\/](canvas[\\/](Editor|surface)|routes[\\/]_canvas[\\/.](v2|tsx))|@xyflow/ },
].map((group, index) => ({ ...group, priority: 100 - index }))

interface Chunk {
  type: 'chunk'
  fileName: string
  moduleIds: string[]
  isEntry: boolean
  imports: string[]
  viteMetadata?: { importedCss: Set<string> }
}
type Bundle = Record<string, Chunk | { type: 'asset' }>

/** Adds a `Link` header to `_headers` for each page, with the scripts and styles that its route will ask for. */
export function preloadPages(): Plugin {
  return {
    name: 'preload-pages',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    writeBundle({ dir = '' }, bundle) {
      const file = join(dir, '_headers')
      writeFileSync(file, addLinks(readFileSync(file, 'utf8'), linksOfPages(bundle as Bundle)))
    },
  }
}

function linksOfPages(bundle: Bundle): Map<string, string[]> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const entry = chunks.filter(({ isEntry }) => isEntry).flatMap((chunk) => filesOf(chunk, bundle))
  const layouts = new Map<string, Chunk>()
  const pages = new Map<string, Chunk>()
  for (const chunk of chunks) {
    for (const id of chunk.moduleIds) {
      const [path, part] = id.replaceAll('\\', '/').split('.tsx?tsr-split=component')
      const route = part === undefined ? undefined : path?.split('/routes/')[1]
      if (route) (/^_\w+$/.test(route) ? layouts : pages).set(route, chunk)
    }
  }
  return new Map(
    [...pages].flatMap(([route, page]) => {
      const layout = layouts.get(route.split('/')[0] as string)
      const files = [layout, page].flatMap((chunk) => (chunk ? filesOf(chunk, bundle) : []))
      const own = [...new Set(files)].filter((file) => !entry.includes(file))
      return pathsOf(route).map((path): [string, string[]] => [path, own])
    }),
  )
}

/** The script, the scripts that it imports, and the styles of all of them. */
function filesOf(chunk: Chunk, bundle: Bundle, found = new Set<string>()): string[] {
  if (found.has(chunk.fileName)) return [...found]
  found.add(chunk.fileName)
  for (const name of chunk.imports) {
    const imported = bundle[name]
    if (imported?.type === 'chunk') filesOf(imported, bundle, found)
  }
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style)
  return [...found]
}

/** `_main/executions.$id` is the page of `/executions/:id`; an optional parameter makes two paths, and a group in parentheses is no part of one. */
function pathsOf(route: string): string[] {
  const parts = route
    .split('/')
    .slice(1)
    .flatMap((part) => part.split('.'))
    .filter((part) => part !== 'index' && !part.startsWith('('))
  const path = parts.map((part) => part.replace(/^\{-\$(\w+)\}$/, ':$1').replace(/^\$/, ':'))
  const isOptional = parts.at(-1)?.startsWith('{-')
  return [path, ...(isOptional ? [path.slice(0, -1)] : [])].map((names) => `/${names.join('/')}`)
}
