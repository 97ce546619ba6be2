/**
 * Notifications in a browser: turned on by its person on their page, sent by the fleet, shown by the service worker, turned off. No browser
 * without a network can subscribe, for its push service is its maker's. So what is the browser's maker's is in another's place, and
 * nothing else: PushManager answers with a subscription at the stand-in, and what the fleet has pushed there is handed to the service worker
 * by the browser's own tools for developers.
 */
import { madeUpKeys, pushAddressOf } from '@courier-fleet/channels'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Browser, CDPSession } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { expectFine } from './looks.ts'
import { expectNoComplaints, type Visit, visit } from './visit.ts'

const person = 's-ekn-101-01'

describe('notifications in a browser', () => {
  let fleet: Fleet
  let browser: Browser
  let visitor: Visit
  let endpoint: string

  before(async () => {
    ;[fleet, browser] = await Promise.all([
      startFleet({ couriers: { telegram: 1, vk: 0, sms: 0, push: 1 } }),
      launchChromium(),
    ])
    const { host, port } = (await fleet.sandbox.endpoints()).push
    endpoint = `http://${host}:${port}/push/this-browser`
    visitor = await visit(browser, fleet)
    await visitor.context.addInitScript({ content: standInForPushManager({ endpoint, keys: madeUpKeys }) })
    await visitor.page.reload()
    await visitor.signIn(person)
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
  })
  afterEach(function () {
    return expectNoComplaints.call(this, visitor)
  })

  const state = (said: RegExp) => visitor.page.locator('section[aria-labelledby=push]').getByText(said).waitFor()
  const press = (name: RegExp) => visitor.page.getByRole('button', { name }).click()
  const contact = async () =>
    (
      await fleet.api.get<{ contacts: Record<string, { address: string; agreed?: { wording?: string } }> }>(
        `/v1/people/${person}`,
      )
    ).contacts.push
  const address = () => pushAddressOf({ endpoint, keys: madeUpKeys })

  it('are asked for by a press alone, and stay off where the browser forbids them', async () => {
    const { page, context } = visitor
    await state(/^Выключены/)
    expect(await page.evaluate('Notification.permission')).to.not.equal('granted')
    expect(await page.evaluate('window.askedForPermission ?? 0'), 'nobody has been asked').to.equal(0)
    await expectFine(page, 'notifications')
    await press(/^Включить в этом браузере/)
    await page
      .getByRole('status')
      .getByText(/не разрешил/)
      .waitFor({ state: 'attached' })
    expect(await contact()).to.equal(undefined)
    await context.grantPermissions(['notifications'], { origin: fleet.apiUrl })
  })

  it('are turned on, and a message is shown by the service worker, its first line above', async () => {
    const { page } = visitor
    await page.reload()
    await press(/^Включить в этом браузере/)
    await state(/^Включены в этом браузере/)
    expect((await contact())?.address).to.equal(`127.0.0.1:${new URL(endpoint).port} …${madeUpKeys.p256dh.slice(-8)}`)

    expect((await contact())?.agreed?.wording).to.equal('push-1-ru')

    const text = 'Занятие перенесено\nАудитория 412'
    await fleet.api.deliver({ to: [`user:${person}`], text, channels: ['push'] })
    const [row] = await fleet.sandbox.accepted(text, 'push')
    expect(row?.address).to.equal(address())
    const workers = await startWorkers(await page.context().newCDPSession(page))
    const payload = { id: row?.key, text: row?.text }
    await workers.push(fleet.apiUrl, JSON.stringify(payload))
    // the same again, and then something that nobody has sent
    await workers.push(fleet.apiUrl, JSON.stringify(payload))
    await workers.push(fleet.apiUrl, 'no json')
    const shown = await until(async () => {
      const found = await page.evaluate(shownNotifications)
      return found.length === 2 && found
    }, 'the notifications are shown')
    expect(shown.find(({ tag }) => tag === row?.key)).to.deep.equal({
      tag: row?.key,
      title: 'Занятие перенесено',
      body: 'Аудитория 412',
    })
  })

  it('go on where the browser has taken another subscription; where nobody can be told, their person reads that they are off', async () => {
    const { page, context } = visitor
    const [worker] = context.serviceWorkers()
    const before = { endpoint, keys: madeUpKeys }
    const after = { endpoint: `${endpoint}-2`, keys: madeUpKeys }
    // no browser makes it without its push service: the event is made up, all that follows is the worker's own
    const change = (told: object) =>
      worker?.evaluate(
        `(async () => {
          const event = new Event('pushsubscriptionchange')
          for (const [name, each] of Object.entries(${JSON.stringify(told)})) event[name] = { toJSON: () => each }
          let work
          event.waitUntil = (promise) => (work = promise)
          dispatchEvent(event)
          await work
        })()`,
      )
    const off = async () => (await page.evaluate(shownNotifications)).find(({ tag }) => tag === 'push-off')
    await change({ oldSubscription: before, newSubscription: after })
    const text = 'Новая подписка'
    await fleet.api.deliver({ to: [`user:${person}`], text, channels: ['push'] })
    expect((await fleet.sandbox.accepted(text, 'push')).map((row) => row.address)).to.deep.equal([pushAddressOf(after)])
    expect(await off()).to.equal(undefined)

    // of another subscription nobody knows whose it was: nothing is changed
    const other = { endpoint, keys: { ...madeUpKeys, p256dh: madeUpKeys.p256dh.replace(/.{8}$/, 'AAAAAAAA') } }
    await change({ oldSubscription: other, newSubscription: before })
    expect(await off()).to.include({ title: 'Уведомления выключены' })
    expect((await off())?.body).to.equal('Браузер сменил подписку. Откройте «Мои контакты» и включите их снова.')
    await change({ oldSubscription: after, newSubscription: before })
    expect(
      (
        await fleet.api.receipts(
          (
            await fleet.api.deliver({ to: [`user:${person}`], text: 'Прежняя', channels: ['push'] })
          ).history.key,
        )
      )[0]?.channels.push?.state,
    ).to.equal('sent')
    expect((await fleet.sandbox.accepted('Прежняя', 'push')).map((row) => row.address)).to.deep.equal([address()])
  })

  it('are on a home screen with an icon that every system draws', async () => {
    const { page } = visitor
    const sizes = await page.evaluate(async () => {
      const manifest = await (
        await fetch(document.querySelector<HTMLLinkElement>('link[rel=manifest]')?.href ?? '')
      ).json()
      const sources = [
        document.querySelector<HTMLLinkElement>('link[rel=apple-touch-icon]')?.href ?? '',
        ...manifest.icons
          .filter(({ type }: { type: string }) => type === 'image/png')
          .map(({ src }: { src: string }) => src),
      ]
      return Promise.all(
        sources.map(async (src) => {
          const image = new Image()
          image.src = src
          await image.decode()
          return [image.naturalWidth, image.naturalHeight]
        }),
      )
    })
    expect(sizes).to.deep.equal([
      [192, 192],
      [192, 192],
    ])
  })

  it('are turned off again, by the same person in the same browser', async () => {
    await press(/^Выключить$/)
    await state(/^Выключены/)
    expect(await contact()).to.equal(undefined)
    const { history } = await fleet.api.deliver({ to: [`user:${person}`], text: 'нет', channels: ['push'] })
    expect(history.people).to.include({ withoutContact: 1 })
  })
})

/** In the page, before its own scripts: all of PushManager that the page uses. */
const standInForPushManager = (subscription: object) => `
  const asked = Notification.requestPermission.bind(Notification)
  Notification.requestPermission = () => {
    window.askedForPermission = 1
    return asked()
  }
  const made = {
    toJSON: () => (${JSON.stringify({ ...subscription, expirationTime: null })}),
    unsubscribe: async () => {
      sessionStorage.removeItem('subscribed')
      return true
    },
  }
  PushManager.prototype.getSubscription = async () => (sessionStorage.getItem('subscribed') ? made : null)
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    if (!userVisibleOnly || !/^B[\\w-]{86}$/.test(applicationServerKey)) throw new Error('no key of a fleet')
    sessionStorage.setItem('subscribed', 'yes')
    return made
  }
`

async function shownNotifications(): Promise<{ tag: string; title: string; body: string }[]> {
  const registration = await navigator.serviceWorker.ready
  return (await registration.getNotifications()).map(({ tag, title, body }) => ({ tag, title, body }))
}

async function startWorkers(session: CDPSession) {
  const ids: string[] = []
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    for (const { registrationId, isDeleted } of registrations) if (!isDeleted) ids.push(registrationId)
  })
  await session.send('ServiceWorker.enable')
  return {
    async push(origin: string, data: string): Promise<void> {
      const registrationId = await until(async () => ids[0], 'the service worker is registered')
      await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
    },
  }
}
