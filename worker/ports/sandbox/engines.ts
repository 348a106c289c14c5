/** The interpreter's WebAssembly instances. Each serves one run at a time; one that misbehaved is thrown away. */
import variant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule } from 'quickjs-emscripten-core'

const PAGE_BYTES = 64 * 1024
/** What the module declares as its least memory. */
const INITIAL_PAGES = 256
const MAX_IDLE = 4

export interface Engine {
  quickjs: QuickJSWASMModule
  /** Whether its memory has grown. It never shrinks, so such an instance is let go. */
  hasGrown(): boolean
}

/** @param maxBytes hard limit of an instance's memory, whatever the interpreter counts */
export function createEngines(loadModule: () => Promise<WebAssembly.Module>, maxBytes: number) {
  const idle: Engine[] = []
  const maximum = INITIAL_PAGES + Math.ceil(maxBytes / PAGE_BYTES)

  const open = async (): Promise<Engine> => {
    const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum })
    const quickjs = await newQuickJSWASMModuleFromVariant(
      newVariant(variant, { wasmModule: loadModule, wasmMemory: memory }),
    )
    return { quickjs, hasGrown: () => memory.buffer.byteLength > INITIAL_PAGES * PAGE_BYTES }
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
