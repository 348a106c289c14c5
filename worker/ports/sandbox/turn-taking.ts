/**
 * Calls into the interpreter that stop in the middle and go on later: WebAssembly's promise integration, which puts the stack
 * of a call aside until a promise settles. What is called from the interpreter cannot be put aside, so it runs through.
 */
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule, VmCallResult } from 'quickjs-emscripten-core'

interface PromiseIntegration {
  Suspending?: new (work: () => Promise<void>) => WebAssembly.ImportValue
  promising?(exported: Call): (...args: number[]) => Promise<number>
}
type Call = (...args: number[]) => number

const { Suspending, promising } = WebAssembly as PromiseIntegration

/** The callbacks of an instance for the end of a slice. Set by its guest. */
export interface Refueling {
  refuel(): boolean
  pause(): Promise<void>
}

/** Returns the imports of a metered instance. */
export function meteredImports(imports: WebAssembly.Imports, refueling: Refueling): WebAssembly.Imports {
  let calls = 0
  const counted =
    (host: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      calls += 1
      try {
        return host(...args)
      } finally {
        calls -= 1
      }
    }
  const own = Object.entries(imports.a ?? {}).map(([name, value]) => [
    name,
    typeof value === 'function' ? counted(value as never) : value,
  ])
  const metered = {
    refuel: () => (refueling.refuel() && Suspending !== undefined && calls === 0 ? 1 : 0),
    pause: Suspending ? new Suspending(() => refueling.pause()) : () => {},
  }
  return { a: { ...Object.fromEntries(own), ...metered } }
}

/** Parts of the library that its types hide. */
interface Internals {
  module: Record<'_QTS_Eval' | '_QTS_Call' | '_QTS_ExecutePendingJob', Call>
}
interface ContextInternals {
  ctx: { value: number }
  memory: {
    newHeapCharPointer(text: string): { value: { ptr: number; strlen: number }; dispose(): void }
    newMutablePointerArray(length: number): { value: { ptr: number }; dispose(): void }
    toPointerArray(handles: QuickJSHandle[]): { value: number; dispose(): void }
    heapValueHandle(pointer: number): QuickJSHandle
  }
  ffi: {
    QTS_ResolveException(context: number, value: number): number
    QTS_FreeValuePointer(context: number, value: number): void
    QTS_FreeValuePointerRuntime(runtime: number, value: number): void
  }
  runtime: { rt: { value: number } }
}

/** `evalCode`, `callFunction` and `executePendingJobs` of the library, in turns. */
export function callsInTurns(quickjs: QuickJSWASMModule, context: QuickJSContext, memory: WebAssembly.Memory) {
  const { module } = quickjs as unknown as Internals
  const { ctx, memory: heap, ffi, runtime } = context as unknown as ContextInternals
  const inTurns = (call: Call) => promising?.(call) ?? (async (...args: number[]) => call(...args))
  const [evaluate, apply, runJobs] = [module._QTS_Eval, module._QTS_Call, module._QTS_ExecutePendingJob].map(
    inTurns,
  ) as [ReturnType<typeof inTurns>, ReturnType<typeof inTurns>, ReturnType<typeof inTurns>]

  const resultOf = (pointer: number): VmCallResult<QuickJSHandle> => {
    const error = ffi.QTS_ResolveException(ctx.value, pointer)
    if (!error) return { value: heap.heapValueHandle(pointer) }
    ffi.QTS_FreeValuePointer(ctx.value, pointer)
    return { error: heap.heapValueHandle(error) }
  }

  return {
    async evaluate(code: string, file: string): Promise<VmCallResult<QuickJSHandle>> {
      const text = heap.newHeapCharPointer(code)
      const name = heap.newHeapCharPointer(file)
      const detectsModules = 1
      const pointer = await evaluate(ctx.value, text.value.ptr, text.value.strlen, name.value.ptr, detectsModules, 0)
      text.dispose()
      name.dispose()
      return resultOf(pointer)
    },
    async call(fn: QuickJSHandle, args: QuickJSHandle[]): Promise<VmCallResult<QuickJSHandle>> {
      const list = heap.toPointerArray(args)
      const { value: self } = context.undefined as unknown as { value: number }
      const pointer = await apply(ctx.value, (fn as unknown as { value: number }).value, self, args.length, list.value)
      list.dispose()
      return resultOf(pointer)
    },
    /** Returns false when a job ended with an error. */
    async runJobs(max: number): Promise<boolean> {
      const out = heap.newMutablePointerArray(1)
      const pointer = await runJobs(runtime.rt.value, max, out.value.ptr)
      // Memory that has grown has another buffer.
      const [ranIn] = new Uint32Array(memory.buffer, out.value.ptr, 1)
      out.dispose()
      if (ranIn !== 0) return context.typeof(heap.heapValueHandle(pointer)) === 'number'
      ffi.QTS_FreeValuePointerRuntime(runtime.rt.value, pointer)
      return true
    },
  }
}
