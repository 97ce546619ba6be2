/** What becomes of a call: the faults of the World first, then how its receiver is, then what its URL says. */
import type { Fault } from '../faults.ts'
import { createRate } from '../rate.ts'
import { Remembered } from '../remembered.ts'
import type { Signature } from '../stand-in.ts'
import type { World } from '../world.ts'
import { type Behaviour, behaviourIn, behaviourOf, busy, cut, refused, silent, takenAndCut } from './behaviours.ts'
import { http } from './channel.ts'
import { changeIn, textOf } from './read-call.ts'

export interface Call {
  /** the URL that was called */
  readonly address: string
  readonly path: string
  /** empty where the caller gave none */
  readonly id: string
  readonly body: string
  readonly signature: Signature
  /** the receiver was given a secret: it takes nothing else */
  readonly isChecked: boolean
  /** as the calls before it with its id, as far as there were any */
  readonly isSame: boolean
}

const rememberedIds = 100_000

/** What is taken is entered into the World, once. */
export function createTreatment(world: World): (call: Call) => Behaviour {
  const rate = createRate()
  /** what was taken, by receiver and id */
  const accepted = new Remembered<true>(rememberedIds)

  function behaviourTowards({ address, path, id }: Call): Behaviour {
    const fault = (kind: Fault['kind']) => world.takeFault(http, kind, address)
    if (fault('disconnect')) return cut
    if (fault('hang')) return silent
    const throttled = fault('throttle')
    if (throttled) return busy(throttled.seconds ?? 1)
    const rejected = fault('reject')
    if (rejected) return refused(Number(rejected.code))
    if (!rate.take(world.limits.http.perSecond, performance.now())) return busy(1)
    const unwell = behaviourIn(world.phone(http, address))
    if (unwell) return unwell
    if (world.refusesOnce(http, address, id)) return refused(410)
    return fault('reply-lost') ? takenAndCut : behaviourOf(path)
  }

  /** A further try of what was taken is not another message, nor is what changes one. */
  function takeOnce({ address, id, body, signature }: Call, behaviour: Behaviour): Behaviour {
    const key = `${address} ${id}`
    if ((id !== '' && accepted.get(key)) || changeIn(body)) return behaviour
    accepted.set(key, true)
    const message = { channel: http, address, text: textOf(body), key: id, at: Date.now(), providerId: id }
    world.accept({ ...message, body, signature })
    return behaviour
  }

  return (call) => {
    // an id stands for one call, and for no other
    if (!call.isSame) return refused(422)
    const behaviour = behaviourTowards(call)
    if (!behaviour.takes) return behaviour
    return call.isChecked && call.signature !== 'valid' ? refused(401) : takeOnce(call, behaviour)
  }
}
