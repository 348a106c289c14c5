/** Pools the interpreter's WebAssembly instances. Each serves one run at a time; an instance that failed is discarded. */
import variant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule } from 'quickjs-emscripten-core'

const PAGE_BYTES = 64 * 1024
/** The module's declared minimum memory. */
const INITIAL_PAGES = 256
/** Pages used by the stack and static data. */
const OWN_PAGES = 96
const MAX_IDLE = 4
const FULL = 2 ** 31 - 1

export interface Engine {
  quickjs: QuickJSWASMModule
  /** Decremented by every loop iteration in the interpreter, which traps below zero. */
  fuel: WebAssembly.Global
  /** Returns true if its memory has grown. Memory never shrinks, so such an instance is discarded. */
  hasGrown(): boolean
}

/** Refills the fuel, so that work of the host is not counted against a run. */
export function refill(fuel: WebAssembly.Global): void {
  fuel.value = FULL
}

/** @param maxBytes hard memory limit of an instance, regardless of the interpreter's own accounting */
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
    /** Returns an instance to the pool. Call only after a run that left it intact. */
    giveBack(engine: Engine): void {
      if (idle.length < MAX_IDLE) idle.push(engine)
    },
  }
}
