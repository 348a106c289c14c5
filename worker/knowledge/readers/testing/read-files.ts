/** Reads the files named on the command line, one after the other, and prints what came of each, and its CPU milliseconds. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { readFile } from '../index.ts'

for (const path of process.argv.slice(2)) {
  const started = process.cpuUsage()
  const outcome = await outcomeOf(path)
  const { user, system } = process.cpuUsage(started)
  console.log(JSON.stringify({ ...outcome, ms: Math.round((user + system) / 1000) }))
}
console.log(JSON.stringify({ maxRss: process.resourceUsage().maxRSS / 1024 }))

async function outcomeOf(path: string) {
  try {
    const name = basename(path).replace(/^\d+-/, '')
    const { documents } = await readFile(new Uint8Array(readFileSync(path)), { name, mime: '', mayTakeBytes: true })
    return {
      text: documents
        .map(({ text }) => text.slice(0, 5000))
        .join('\n')
        .slice(0, 10_000),
    }
  } catch (error) {
    const { name, message } = error as Error
    return { error: `${name}: ${message}` }
  }
}
