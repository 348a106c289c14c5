/** The bill of materials of a release: npm lists all packages, we keep those that run in production. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { root } from '../paths.ts'
import { readShippedPackages } from './shipped-packages.ts'

/** The part of CycloneDX 1.5 that is read here. */
interface Sbom {
  bomFormat: 'CycloneDX'
  metadata: { component: { 'bom-ref': string; name: string; type: string } }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

interface Component {
  /** `hono@4.13.19`. */
  'bom-ref': string
  name: string
  version: string
  scope?: string
  properties?: { name: string; value: string }[]
}

/** Returns the bill of materials of what servers install and what the build bundles. */
export async function buildSbom(): Promise<Sbom> {
  const run = promisify(execFile)
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']
  const { stdout } = await run('npm', args, {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  })
  const shipped = [...readShippedPackages()].map(([folder, { version }]) => `${toName(folder)}@${version}`)
  return keepShipped(JSON.parse(stdout), new Set(shipped))
}

const toName = (folder: string) => folder.replace(/^.*node_modules\//, '')

/**
 * Bundled packages are for development in package.json, since the build has them inside: here they are required.
 *
 * @param shipped `name@version`
 */
function keepShipped(sbom: Sbom, shipped: Set<string>): Sbom {
  const product = sbom.metadata.component['bom-ref']
  const kept = sbom.components.filter(({ name, version }) => shipped.has(`${name}@${version}`))
  const refs = new Set([product, ...kept.map((component) => component['bom-ref'])])
  return {
    ...sbom,
    metadata: { ...sbom.metadata, component: { ...sbom.metadata.component, name: 'heddle' } },
    components: kept.map(({ properties = [], ...component }) => ({
      ...component,
      scope: 'required',
      properties: properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
    })),
    dependencies: sbom.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((needed) => refs.has(needed)) })),
  }
}
