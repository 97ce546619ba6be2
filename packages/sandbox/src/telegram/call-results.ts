/** What became of a call, for those that are to run after it. */
export type CallResult = 'answered' | 'failed' | 'hung'

const maxRemembered = 10_000

/** The results of the latest calls of a session, by message id. */
export class CallResults {
  readonly #results = new Map<bigint, CallResult>()

  has(id: bigint): boolean {
    return this.#results.has(id)
  }

  get(id: bigint): CallResult | undefined {
    return this.#results.get(id)
  }

  set(id: bigint, result: CallResult): void {
    this.#results.set(id, result)
    if (this.#results.size <= maxRemembered) return
    for (const oldest of this.#results.keys()) {
      this.#results.delete(oldest)
      break
    }
  }
}
