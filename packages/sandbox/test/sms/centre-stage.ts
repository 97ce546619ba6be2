import { silentLog } from '@courier-fleet/process'
import { type SmsEndpoint, type StandIn, startSmsc, World } from '../../src/index.ts'

export interface CentreStage {
  readonly world: World
  readonly smsc: StandIn<SmsEndpoint>
  readonly endpoint: SmsEndpoint
  texts(): string[]
}

/** Before each test a centre without limits of its own, stopped after it. */
export function useCentre(): CentreStage {
  let world: World
  let smsc: StandIn<SmsEndpoint>
  beforeEach(async () => {
    world = new World()
    world.limits.sms = { perSecond: null, window: null }
    smsc = await startSmsc({ world, retryMs: 20, log: silentLog })
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
