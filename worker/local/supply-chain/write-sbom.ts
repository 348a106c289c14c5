/** `npm run sbom`: writes the bill of materials of a release to `dist/sbom.cdx.json`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { distFolder } from '../paths.ts'
import { buildSbom } from './sbom.ts'

const sbom = await buildSbom()
mkdirSync(distFolder(), { recursive: true })
const file = join(distFolder(), 'sbom.cdx.json')
writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`)
console.log(`${file}: ${sbom.components.length} packages`)
