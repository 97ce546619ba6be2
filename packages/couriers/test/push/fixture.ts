/** A push courier and the push service it talks to, over real sockets: what is away is tried again soon. */
import { madeUpKeys, push, pushAddressOf } from '@courier-fleet/channels'
import { silentLog, systemClock } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/push'
import { noUploads } from '@courier-fleet/testkit'
import { sandboxCalls } from '../../../../scripts/call-settings.mjs'
import type { Courier, CourierDeps, Item } from '../../src/courier.ts'
import { pushConfig } from '../../src/push/config.ts'
import { buildPushCourier } from '../../src/push/courier.ts'
import type { PushTiming } from '../../src/push/timing.ts'

export const quickTiming: PushTiming = { deadlineMs: 20_000, awayMs: 50, silentMs: 50, busyMs: 50 }
export const fleetSecret = 'the secret of a fleet that is told to nobody'
export const never = new AbortController().signal

/** What a process of the fleet would have in its environment. */
export const environment = (): Record<string, string> => ({
  ...push.settings.sandbox({ host: '127.0.0.1', port: 1 }),
  ...sandboxCalls,
  PUSH_TARGET: 'sandbox',
  FLEET_SECRET: fleetSecret,
})

export const addressAt = (port: number, id: number | string): string =>
  pushAddressOf({ endpoint: `http://127.0.0.1:${port}/push/${id}`, keys: madeUpKeys })

export async function createFixture() {
  const world = new World()
  world.limits.push.perSecond = null
  const service = await startStandIn({ world, log: silentLog })
  const couriers: Courier[] = []
  const deps: CourierDeps = {
    log: silentLog,
    clock: systemClock,
    pacer: { take: async () => {} },
    uploads: noUploads,
    onReport: async () => {},
  }
  return {
    world,
    service,
    addressOf: (id: number | string) => addressAt(service.endpoint.port, id),
    /** built, not started; stopped with the fixture */
    courier(settings: Record<string, string> = {}, timing: Partial<PushTiming> = {}): Courier {
      const courier = buildPushCourier(pushConfig({ ...environment(), ...settings }), deps, {
        ...quickTiming,
        ...timing,
      })
      couriers.push(courier)
      return courier
    },
    async stop() {
      await Promise.all(couriers.map((each) => each.stop()))
      await service.stop()
    },
  }
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>

let lastKey = 0x1234_5678n

export const itemTo = (address: string, more: Partial<Item> = {}): Item => ({
  class: 'normal',
  address,
  text: 'Занятие перенесено',
  key: ++lastKey,
  ...more,
})
