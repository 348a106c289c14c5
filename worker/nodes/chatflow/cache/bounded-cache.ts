/** Values by key, up to a number of bytes. What was used longest ago leaves first. */
export class BoundedCache<Value> {
  readonly #values = new Map<string, Value>()
  readonly #maxBytes: number
  readonly #bytesOf: (value: Value) => number
  #bytes = 0

  constructor(maxBytes: number, bytesOf: (value: Value) => number) {
    this.#maxBytes = maxBytes
    this.#bytesOf = bytesOf
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    this.#remove(key)
    this.#values.set(key, value)
    this.#bytes += this.#sizeOf(value)
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    const value = this.#values.get(key)
    if (value === undefined) return
    this.#values.delete(key)
    this.#bytes -= this.#sizeOf(value)
  }

  readonly #sizeOf = (value: Value) => this.#bytesOf(value) + KEY_BYTES
}

const KEY_BYTES = 200
