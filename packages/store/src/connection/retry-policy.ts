import { Cluster } from 'ioredis'
import type { Endpoint } from './address.ts'
import { failAfter } from './silence.ts'

/** What a cluster says while a part of it is on its way: the slot will be served, here or elsewhere. */
const comesBack = /^(CLUSTERDOWN|READONLY|LOADING|MASTERDOWN) /
/** of these, what whoever has waited in vain is told: it is better than that the time was up */
const reasons = /^(CLUSTERDOWN|LOADING|MASTERDOWN|TRYAGAIN) /
/** what sends a command to where it belongs, and says nothing of trouble */
const follows = /^(MOVED|ASK) /
const isClosed = (error: Error) => error.message === 'Connection is closed.'

type ClusterSettings = NonNullable<ConstructorParameters<typeof Cluster<'legacy'>>[1]>

/** as ioredis keeps it for each command */
interface Tries {
  value?: unknown
  isOver?: boolean
  /** why it was not served when it was last tried */
  why?: Error | undefined
}

type Handlers = {
  /** ends it with this error */
  maxRedirections(error: Error): void
  tryagain(): unknown
  connectionClosed(): unknown
  moved(slot: number, node: string): unknown
}

/** It may be told that its time is up while it waits to be sent again. */
const unlessOver = (handlers: Handlers, tries: Tries): Handlers => ({
  ...handlers,
  tryagain: () => tries.isOver || handlers.tryagain(),
  connectionClosed: () => tries.isOver || handlers.connectionClosed(),
  moved: (slot, node) => tries.isOver || handlers.moved(slot, node),
})

export interface RetryPolicy {
  /** a command fails after so long; without it, it waits until its slot is served */
  readonly patienceMs?: number
}

/**
 * A cluster whose commands find their way however long it takes. ioredis follows MOVED and ASK and waits for TRYAGAIN and CLUSTERDOWN, but gives up
 * after some tries, at a node that was demoted or is loading, and when all nodes are gone at once.
 */
export class PatientCluster extends Cluster {
  readonly #patienceMs: number | undefined

  constructor(endpoints: readonly Endpoint[], { patienceMs, ...options }: ClusterSettings & RetryPolicy) {
    super([...endpoints], { ...options, maxRedirections: Number.POSITIVE_INFINITY })
    this.#patienceMs = patienceMs
  }

  override sendCommand(...[command, ...rest]: Parameters<Cluster['sendCommand']>): unknown {
    if (this.#patienceMs !== undefined) failAfter(command, this.#patienceMs)
    return super.sendCommand(command, ...rest)
  }

  override handleError(error: Error, tries: Tries, handlers: Handlers): void {
    // whoever has been told is not sent again
    if (tries.isOver || error.message === 'Command timed out') {
      tries.isOver = true
      handlers.maxRedirections(tries.why ?? error)
    } else {
      // on its way to the node that said so it has not been told otherwise
      if (!follows.test(error.message)) tries.why = reasons.test(error.message) ? error : undefined
      if (error.message.startsWith('TRYAGAIN ')) this.emit('waits for slots')
      const waits = comesBack.test(error.message) || (isClosed(error) && this.#isComingBack())
      super.handleError(waits ? new Error('CLUSTERDOWN') : error, tries, unlessOver(handlers, tries))
    }
  }

  #isComingBack(): boolean {
    if (this.#patienceMs !== undefined && this.status !== 'ready') return false
    return this.status !== 'end' && this.status !== 'close'
  }
}
