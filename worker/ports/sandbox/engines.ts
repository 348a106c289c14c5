/** The interpreter's WebAssembly instances. Each serves one run at a time; one that misbehaved is thrown away. */
import variant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule } from 'quickjs-emscripten-core'

const PAGE_BYTES = 64 * 1024
/** What the module declares as its least memory. */
const INITIAL_PAGES = 256
/** Of these, what its stack and its own data take. */
const OWN_PAGES = 96
const MAX_IDLE = 4
const FULL = 2 ** 31 - 1

export interface Engine {
  quickjs: QuickJSWASMModule
  /** Every turn of every loop in the interpreter takes one; below zero it traps. */
  fuel: WebAssembly.Global
  /** Whether its memory has grown. It never shrinks, so such an instance is let go. */
  hasGrown(): boolean
}

/** What the host itself does in the interpreter is not counted against a run. */
export function refill(fuel: WebAssembly.Global): void {
  fuel.value = FULL
}

/** @param maxBytes hard limit of an instance's memory, whatever the interpreter counts */
export function createEngines(loadModule: () => Promise<WebAssembly.Module>, maxBytes: number) {
  const idle: Engine[] = []
  const maximum = Math.max(INITIAL_PAGES, OWN_PAGES + Math.ceil(maxBytes / PAGE_BYTES))

  const open = async (): Promise<Engine> => {
    const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum })
    const compiled = await loadModule()
    let exports: WebAssembly.Exports = {}
    const instantiateWasm = (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
      const instance = new WebAssembly.Instance(compiled, imports)
      exports = instance.exports
      done(instance)
      return exports
    }
    const quickjs = await newQuickJSWASMModuleFromVariant(
      newVariant(variant, { wasmMemory: memory, emscriptenModule: { instantiateWasm } }),
    )
    return {
      quickjs,
      fuel: exports.fuel as WebAssembly.Global,
      hasGrown: () => memory.buffer.byteLength > INITIAL_PAGES * PAGE_BYTES,
    }
  }

  return {
    async take(): Promise<Engine> {
      return idle.pop() ?? (await open())
    },
    /** Only after a run that left the instance sound. */
    giveBack(engine: Engine): void {
      if (idle.length < MAX_IDLE) idle.push(engine)
    },
  }
}
