/** `npm start`: runs the production build on this machine. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { root } from './paths.ts'
import { returnFreedMemory } from './runtime/returned-memory.ts'

returnFreedMemory()
// Before anything large is imported: then the next start reads what this one has compiled.
enableCompileCache(join(root, 'node_modules/.cache/heddle'))
const { serve } = await import('./program.ts')
await serve()
// A start leaves hundreds of megabytes of garbage, which V8 would keep until the next busy moment.
globalThis.gc?.()
