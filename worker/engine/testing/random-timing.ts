/** Test helper: resumes running steps one at a time, in an order determined by a seed. */
export class Timing {
  readonly #waiting: (() => void)[] = []
  #seed: number

  constructor(seed: number) {
    this.#seed = seed
  }

  pause(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  next(below: number): number {
    this.#seed = (this.#seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((this.#seed / 2_147_483_648) * below)
  }

  async during<T>(work: Promise<T>): Promise<T> {
    let isOver = false
    const watched = work.finally(() => {
      isOver = true
    })
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve))
      const [resume] = this.#waiting.splice(this.next(this.#waiting.length), 1)
      resume?.()
    }
    return watched
  }
}
