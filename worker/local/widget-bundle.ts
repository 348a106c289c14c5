/** Bundles the widget for pages of other sites: `/widget.js`, and `/widget-react.js` with React left to the page. */
import { build, type Plugin } from 'vite'
import { root } from './paths.ts'

const BUNDLES = {
  'widget.js': { entry: 'web/widget/widget.ts', format: 'iife' },
  'widget-react.js': { entry: 'web/widget/react.tsx', format: 'es' },
} as const

export function widgetBundle(): Plugin {
  return {
    name: 'widget-bundle',
    applyToEnvironment: ({ name }) => name === 'client',
    async generateBundle() {
      for (const [fileName, bundle] of Object.entries(BUNDLES)) {
        this.emitFile({ type: 'asset', fileName, source: await bundleWidget(bundle) })
      }
    },
    configureServer({ middlewares }) {
      for (const [fileName, bundle] of Object.entries(BUNDLES)) {
        middlewares.use(`/${fileName}`, (_request, response, next) => {
          bundleWidget(bundle).then((source) => {
            response
              .writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' })
              .end(source)
          }, next)
        })
      }
    },
  }
}

async function bundleWidget({ entry, format }: (typeof BUNDLES)[keyof typeof BUNDLES]): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry, formats: [format], name: 'heddleWidget' },
      rolldownOptions: {
        external: ['react', 'react/jsx-runtime'],
        // The modules of the house do nothing when they are loaded: what the widget does not use is left out.
        treeshake: { moduleSideEffects: (id) => id.endsWith(entry) },
        output: { minify: true },
      },
    },
  })
  const [output] = [built].flat()
  if (!output || !('output' in output)) throw new Error(`${entry} was not built`)
  return output.output[0].code
}
