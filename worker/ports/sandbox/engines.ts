/**
 * Pools the interpreter's WebAssembly instances. Each serves one run at a time, and only runs of one workspace; between
 * them its memory is restored. An instance that failed is discarded.
 */
import variant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core'
import { type Guest, openGuest } from './guest.ts'
import type { SandboxLimits } from './limits.ts'
import { meteredImports, type Refueling } from './turn-taking.ts'

const PAGE_BYTES = 64 * 1024
/** The module's declared minimum memory. */
const INITIAL_PAGES = 256
/** Pages used by the stack and static data. */
const OWN_PAGES = 96
const MAX_IDLE = 4

/** Instances of up to `limits.memoryBytes`, regardless of the interpreter's own accounting. */
export function createEngines(loadModule: () => Promise<WebAssembly.Module>, limits: SandboxLimits) {
  const idle: { guest: Guest; workspaceId: string }[] = []
  const maximum = Math.max(INITIAL_PAGES, OWN_PAGES + Math.ceil(limits.memoryBytes / PAGE_BYTES))

  const open = async (): Promise<Guest> => {
    const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum })
    const compiled = await loadModule()
    let exports: WebAssembly.Exports = {}
    const refueling: Refueling = { refuel: () => false, pause: async () => {} }
    const instantiateWasm = (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
      const instance = new WebAssembly.Instance(compiled, meteredImports(imports, refueling))
      exports = instance.exports
      done(instance)
      return exports
    }
    const quickjs = await newQuickJSWASMModuleFromVariant(
      newVariant(variant, { wasmMemory: memory, emscriptenModule: { instantiateWasm } }),
    )
    const hasGrown = () => memory.buffer.byteLength > INITIAL_PAGES * PAGE_BYTES
    return openGuest({ quickjs, memory, fuel: exports.fuel as WebAssembly.Global, refueling, hasGrown }, limits)
  }

  return {
    /** @param workspaceId absent: the guest is new, and is not kept */
    async take(workspaceId: string | undefined): Promise<Guest> {
      const at = idle.findLastIndex((one) => one.workspaceId === workspaceId)
      return idle.splice(at, at < 0 ? 0 : 1)[0]?.guest ?? (await open())
    },
    /** Keeps a guest for the next run of its workspace, unless its last run left it unusable. */
    giveBack(guest: Guest, workspaceId: string | undefined): void {
      if (!guest.reset() || workspaceId === undefined) return
      idle.push({ guest, workspaceId })
      if (idle.length > MAX_IDLE) idle.shift()
    },
  }
}
