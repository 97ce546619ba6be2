import type { EndpointOf } from '@courier-fleet/channels'
import { silentLog } from '@courier-fleet/process'
import { type StandIn, World } from '../../src/index.ts'
import { startStandIn } from '../../src/sms/index.ts'

export interface CentreFixture {
  readonly world: World
  readonly smsc: StandIn<EndpointOf<'sms'>>
  readonly endpoint: EndpointOf<'sms'>
  texts(): string[]
}

/** Before each test a centre without limits of its own, stopped after it. */
export function useCentre(): CentreFixture {
  let world: World
  let smsc: StandIn<EndpointOf<'sms'>>
  beforeEach(async () => {
    world = new World()
    world.limits.sms = { perSecond: null, window: null }
    smsc = await startStandIn({ world, retryMs: 20, log: silentLog })
  })
  afterEach(() => smsc.stop())
  return {
    get world() {
      return world
    },
    get smsc() {
      return smsc
    },
    get endpoint() {
      return smsc.endpoint
    },
    texts: () => world.accepted.map(({ text }) => text),
  }
}
