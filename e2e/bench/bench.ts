/** `npm run bench`: what the product promises about time, bytes and round trips, measured here and now. */
import { cpus, loadavg } from 'node:os'
import { buildWhenNeeded } from '#worker/local/build.ts'
import { measureFanOut } from './fan-out.ts'
import { measureGrowth } from './growth.ts'
import { measurePages } from './pages.ts'
import { measurePredictions } from './predictions.ts'
import { type Product, startProduct } from './product.ts'
import { measureStart } from './ready.ts'
import { measureSteps } from './steps.ts'
import { printTable, type Row } from './table.ts'

await buildWhenNeeded()
console.error('Measuring npm start ...')
const rows = await measureStart()
for (const measure of [measurePages, measurePredictions, measureSteps, measureGrowth, measureFanOut]) {
  console.error(`Measuring ${measure.name.replace('measure', '').toLowerCase()} ...`)
  rows.push(...(await onFreshProduct(measure)))
}
console.log(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`)
printTable(rows)

async function onFreshProduct(measure: (product: Product) => Promise<Row[]>): Promise<Row[]> {
  const product = await startProduct()
  try {
    return await measure(product)
  } finally {
    await product.close()
  }
}
