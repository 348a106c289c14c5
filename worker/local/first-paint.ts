/** Puts the static shell, its colors and the boot script into index.html, and allows that script in `_headers`. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { CANVAS_TYPES, KIND_FACTS } from '#contract/flow/kinds/facts.ts'
import { lines, type Pair, palettes, surfaces, texts } from '../../web/ui/theme/tokens.ts'

const BOOT = 'web/first-paint/boot.ts'

const COLORS: Record<string, Pair> = {
  bg: surfaces.bg,
  panel: surfaces['bg.panel'],
  muted: surfaces['bg.muted'],
  line: lines.border,
  text: texts.fg,
  accent: palettes.accent.fg,
}

/** The measures are those of the layouts: `MainLayout` and `CanvasLayout`. */
const STYLE = `
:root{${colors(0)}}.dark{${colors(1)}}
html{background:var(--shell-bg)}
#shell{position:fixed;inset:0;display:none;font:700 1.125rem/1.5 system-ui,sans-serif;letter-spacing:-.025em;color:var(--shell-text)}
#shell *{box-sizing:border-box}
#shell header{display:flex;align-items:center;gap:8px;height:64px;padding:0 24px;background:var(--shell-panel);border-bottom:1px solid var(--shell-line)}
#shell svg{color:var(--shell-accent)}
#shell nav{width:14rem;height:calc(100% - 64px);padding:12px;border-right:1px solid var(--shell-line)}
#shell i{display:block;width:9rem;height:12px;margin:12px;border-radius:6px;background:var(--shell-muted)}
[data-shell=side] #shell,[data-shell=top] #shell,[data-shell=canvas] #shell{display:block}
[data-shell=top] #shell nav{display:flex;width:auto;height:49px;padding:6px 24px;border-right:0;border-bottom:1px solid var(--shell-line)}
[data-shell=top] #shell i{width:6rem}
[data-shell=canvas] #shell header{height:56px;padding:0 8px;font-size:0}
[data-shell=canvas] #shell nav{width:228px;height:calc(100% - 56px);background:var(--shell-panel)}
@media(max-width:47.99rem){#shell header{padding:0 16px}#shell nav{display:none!important}}
`.replaceAll('\n', '')

const SHELL = `<div id="shell" aria-hidden="true"><header><svg width="28" height="28" viewBox="0 0 28 28" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round"><path d="M6 3v22M14 3v8m0 6v8M22 3v22"/><path d="M2 14c4-6 7-6 12 0s8 6 12 0"/></svg>Heddle</header><nav>${'<i></i>'.repeat(6)}</nav></div>`

function colors(mode: 0 | 1): string {
  return Object.entries(COLORS)
    .map(([name, pair]) => `--shell-${name}:${pair[mode]}`)
    .join(';')
}

export function firstPaint(): Plugin {
  let script = ''
  return {
    name: 'first-paint',
    applyToEnvironment: ({ name }) => name === 'client',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        script ||= await bootScript()
        const styled = html.replace(/<link rel="stylesheet" crossorigin href="\/([^"]+)">/, (link, file) => {
          const style = bundle?.[file]
          return style?.type === 'asset' ? `<style>${style.source}</style>` : link
        })
        return styled
          .replace('<title>', () => `<style>${STYLE}</style>\n    <script>${script}</script>\n    <title>`)
          .replace('<body>', () => `<body>\n    ${SHELL}`)
      },
    },
    writeBundle({ dir = '' }) {
      const file = join(dir, '_headers')
      writeFileSync(file, allowScript(readFileSync(file, 'utf8'), script))
    },
  }
}

/** Returns the `_headers` file whose pages may run one inline script, and no other. */
export function allowScript(headers: string, script: string): string {
  const own = "script-src 'self'"
  if (!headers.includes(own)) throw new Error(`_headers has no ${own} to add the boot script to`)
  return headers.replace(own, `${own} 'sha256-${createHash('sha256').update(script).digest('base64')}'`)
}

/** Every page carries the boot script, so it gets only those facts of the kinds that it reads. */
const factsToBoot: Plugin = {
  name: 'facts-to-boot',
  load(id) {
    if (!id.endsWith('/contract/flow/kinds/facts.ts')) return null
    const facts = CANVAS_TYPES.map((type) => {
      const { pages, firstComponents } = KIND_FACTS[type]
      return [type, { pages: { flow: pages.flow }, firstComponents }]
    })
    return `export const CANVAS_TYPES = ${JSON.stringify(CANVAS_TYPES)}
      export const KIND_FACTS = ${JSON.stringify(Object.fromEntries(facts))}`
  },
}

async function bootScript(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    plugins: [factsToBoot],
    build: { write: false, minify: true, lib: { entry: BOOT, formats: ['iife'], name: 'boot' } },
  })
  const [output] = [built].flat()
  if (!output || !('output' in output)) throw new Error(`${BOOT} was not built`)
  return output.output[0].code.trim()
}
