/** Run by `npm run docs:templates`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../paths.ts'
import { templateDocs } from './template-docs.ts'

const pictures = join(root, 'docs/templates')
rmSync(pictures, { recursive: true, force: true })
mkdirSync(pictures, { recursive: true })
for (const [path, text] of templateDocs()) writeFileSync(join(root, path), text)
