/** `npm run docs:security`: writes the tests of each danger into `docs/security.md`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fillTests, page, readDangers, readTags } from './danger-table.ts'

const tags = readTags()
const text = readFileSync(page, 'utf8')
writeFileSync(page, fillTests(text, tags))
for (const danger of readDangers(text)) if (!tags.has(danger)) console.warn(`No test says "@defends ${danger}"`)
