/**
 * `npm run bench`: what the product promises about time, bytes and round trips, measured here and now. With names of
 * sections (`npm run bench -- predictions steps`) only these. The exit code is 1 when a limit is missed.
 */
import { cpus, loadavg } from 'node:os'
import { buildWhenNeeded } from '#worker/local/build/ensure-build.ts'
import { readCommandLine } from '#worker/local/command-line/command-line.ts'
import { measureBundles } from './bundles.ts'
import { measureCapacity } from './capacity.ts'
import { measureDistance } from './distance.ts'
import { measureFanOut } from './fan-out.ts'
import { measureFloor } from './floor.ts'
import { measureGrowth } from './growth.ts'
import { measureIngest } from './ingest.ts'
import { measureKnowledge } from './knowledge.ts'
import { measurePages } from './pages.ts'
import { measurePredictions } from './predictions.ts'
import { type Product, startProduct } from './product.ts'
import { measureStart } from './ready.ts'
import { measureScale } from './scale.ts'
import { measureSoak } from './soak.ts'
import { measureSteps } from './steps.ts'
import { printTable, type Row } from './table.ts'
import { measureTokens } from './tokens.ts'

const sections: Record<string, () => Promise<Row[]>> = {
  start: measureStart,
  pages: onFreshProduct(measurePages),
  predictions: onFreshProduct(measurePredictions),
  distance: measureDistance,
  floor: onFreshProduct(measureFloor),
  steps: onFreshProduct(measureSteps),
  tokens: onFreshProduct(measureTokens),
  growth: onFreshProduct(measureGrowth),
  capacity: onFreshProduct(measureCapacity),
  'fan-out': onFreshProduct(measureFanOut),
  bundles: measureBundles,
  ingest: onFreshProduct(measureIngest),
  scale: measureScale,
  knowledge: measureKnowledge,
  soak: measureSoak,
}

const { positionals: requestedSections } = readCommandLine({
  name: 'npm run bench',
  description: `Measures what the product promises about time, bytes and round trips. Sections: ${Object.keys(sections).join(', ')}.`,
  arguments: '[SECTION]...',
  options: {},
  example: 'predictions steps',
})
const unknown = requestedSections.filter((name) => !sections[name])
if (unknown.length > 0) {
  throw new Error(`There is no section ${unknown.join(', ')}. Sections: ${Object.keys(sections).join(', ')}`)
}
await buildWhenNeeded()
const rows: Row[] = []
for (const [name, measure] of Object.entries(sections)) {
  if (requestedSections.length > 0 && !requestedSections.includes(name)) continue
  console.error(`Measuring ${name} ...`)
  rows.push(...(await measure()))
}
console.log(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`)
printTable(rows)
process.exit(rows.some(({ holds }) => holds === false) ? 1 : 0)

function onFreshProduct(measure: (product: Product) => Promise<Row[]>): () => Promise<Row[]> {
  return async () => {
    const product = await startProduct()
    try {
      return await measure(product)
    } finally {
      await product.close()
    }
  }
}
