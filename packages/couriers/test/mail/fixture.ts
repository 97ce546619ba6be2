/** A mail courier and the mail server it talks to, over real sockets: it tries again soon, and is given time for all else. */
import { type EndpointOf, mail } from '@courier-fleet/channels'
import { silentLog, systemClock } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/mail'
import { noUploads } from '@courier-fleet/testkit'
import type { Courier, CourierDeps, DeliveryReport, Item } from '../../src/courier.ts'
import { mailConfig } from '../../src/mail/config.ts'
import { buildMailCourier } from '../../src/mail/courier.ts'
import type { MailTiming } from '../../src/mail/timing.ts'

export const quickTiming: MailTiming = { deadlineMs: 20_000, retryMs: 20, standbyMs: 20 }
/** Not a word that could be anywhere by chance. */
export const password = 's3cr3t-of-the-mail-server'
export const never = new AbortController().signal

/** What a process of the fleet would have in its environment. */
export const environment = (endpoint: EndpointOf<'mail'>): Record<string, string> => ({
  ...mail.settings.sandbox(endpoint),
  MAIL_TARGET: 'sandbox',
  MAIL_PER_SECOND: 'off',
})

export async function createFixture() {
  const world = new World()
  world.limits.mail.perSecond = null
  const server = await startStandIn({ world, password, retryMs: 20, log: silentLog })
  const receipts: DeliveryReport[] = []
  const couriers: Courier[] = []
  const deps: CourierDeps = {
    log: silentLog,
    clock: systemClock,
    pacer: { take: async () => {} },
    uploads: noUploads,
    onReport: async (receipt) => void receipts.push(receipt),
  }
  return {
    world,
    server,
    receipts,
    /** built, not started; stopped with the fixture */
    courier(settings: Record<string, string> = {}, more: Partial<CourierDeps> = {}): Courier {
      const config = mailConfig({ ...environment(server.endpoint), ...settings })
      const courier = buildMailCourier(config, { ...deps, ...more }, quickTiming)
      couriers.push(courier)
      return courier
    },
    async stop() {
      await Promise.all(couriers.map((each) => each.stop()))
      await server.stop()
    },
  }
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>

let lastKey = 0x1234_5678n

export const itemTo = (address: string, text = 'Занятие перенесено'): Item => ({
  class: 'normal',
  address,
  text,
  key: ++lastKey,
})
