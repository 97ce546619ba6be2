/** Integrations at the web app: a system is subscribed, tried, given a new secret and removed, by whoever it belongs to. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EndpointView, SubscriptionList } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { expectEveryLook } from './looks.ts'
import { expectNoComplaints, type Visit, visit } from './visit.ts'

describe('integrations at the web app', () => {
  let fleet: Fleet
  let browser: Browser
  let teacher: Visit
  let boss: Visit
  let receiver: Server
  let url: string
  let status = 204
  const received: { body: string; headers: Record<string, string> }[] = []
  before(async () => {
    receiver = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      received.push({ body, headers: request.headers as Record<string, string> })
      response.writeHead(status).end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/a-learning-platform-with-a-long-address`
    ;[fleet, browser] = await Promise.all([
      startFleet({ couriers: { http: 1 }, env: { HTTP_RETRY_SCALE: '0.02' } }),
      launchChromium(),
    ])
    await fleet.api.call('PUT', '/v1/people/boss', { name: 'Boss', role: 'operator', timeZone: 'UTC', language: 'en' })
    await fleet.api.call('PUT', '/v1/contacts/sms/boss', { address: '+79005554433' })
    teacher = await visit(browser, fleet)
    boss = await visit(browser, fleet, { language: 'en' })
    await teacher.signIn('t-01')
    await boss.signIn('boss')
  })
  after(async () => {
    receiver.close()
    receiver.closeAllConnections()
    await browser?.close()
    await fleet?.stop()
  })
  afterEach(async function () {
    await expectNoComplaints.call(this, teacher)
    await expectNoComplaints.call(this, boss)
  })

  it('a teacher subscribes a system by keyboard, and is told what is wrong with an address', async () => {
    const { page } = teacher
    await page.getByRole('link', { name: 'Интеграции' }).press('Enter')
    await page.getByText('Пока никакой системе ни о чём не сообщают.').waitFor()
    await expectEveryLook(page, 'no integrations')
    await page.getByRole('button', { name: 'Новая подписка' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Новая подписка' })
    await dialog.getByLabel('Адрес').fill('https://10.0.0.1/hook')
    await page.keyboard.press('Enter')
    await dialog.getByText(/На этот адрес отправлять нельзя/).waitFor()
    await dialog.getByLabel('Адрес').fill(url)
    await dialog.getByLabel('О чём сообщать').selectOption('Группы')
    await dialog.getByLabel('О чём именно').fill('a:b')
    await page.keyboard.press('Enter')
    await dialog.getByText('Здесь нужен номер, как его пишут в этом поле.').waitFor()
    await expectEveryLook(page, 'a form with an error')
    await dialog.getByLabel('О чём именно').fill('')
    await page.keyboard.press('Enter')
    await dialog.getByText(/^Секрет для подписей/).waitFor()
    await expectEveryLook(page, 'the secret')
    const secret = (await dialog.locator('code').innerText()).trim()
    expect(secret).to.match(/^whsec_/)
    await page.keyboard.press('Escape')
    const row = page.getByRole('listitem').filter({ hasText: url })
    await row.getByText('Группы: все').waitFor()
    await row.getByRole('button', { name: `Открыть ${url}` }).press('Enter')
    const shown = page.getByRole('dialog', { name: url })
    await shown.getByRole('button', { name: 'Проверить' }).press('Enter')
    await shown.locator('[role=status]', { hasText: 'Принято: ответ 204' }).waitFor()
    const test = received.find(({ body }) => body.includes('subscription.test'))
    new Webhook(secret).verify(test?.body ?? '', test?.headers ?? {})
    expect(await page.locator('#main').innerHTML()).to.not.include(secret)
    await expectEveryLook(page, 'a subscription')
  })

  it('what was not taken is said with its status, and shown with what was sent', async () => {
    const { page } = teacher
    status = 500
    const shown = page.getByRole('dialog', { name: url })
    await shown.getByRole('button', { name: 'Проверить' }).click()
    await shown.locator('[role=status]', { hasText: 'Не принято: ответ 500.' }).waitFor()
    status = 204
    const failed = shown.getByRole('listitem').filter({ hasText: 'Не принято: ответ 500.' }).first()
    await failed.getByText('Что отправлено').click()
    await failed.getByText('"type":"subscription.test"').waitFor()
    await shown.getByRole('button', { name: 'Новый секрет' }).click()
    await shown.getByText(/Прежний годится ещё сутки/).waitFor()
    await shown.getByRole('button', { name: 'Повторить за сутки' }).click()
    await shown.getByText('Изменения за сутки отправляются ещё раз.').waitFor()
    await expectEveryLook(page, 'what was sent')
    await page.keyboard.press('Escape')
  })

  it('an operator sees how addresses take messages, has one called again, and what it did not take sent again', async () => {
    const { page } = boss
    status = 500
    const [own, text] = [await fleet.apiOf('boss', 'operator'), 'The room has changed']
    const hook = `${url}/messages`
    // each of them is tried before then: a busy machine takes some seconds for that
    const expires = new Date(Date.now() + 20_000).toISOString()
    const { history } = await own.deliver({ to: [1, 2, 3, 4, 5].map((n) => `url:${hook}?n=${n}`), text, expires })
    expect(history.people?.why).to.deep.equal({ 'not-taken': 5 })
    const endpoint = () => own.get<EndpointView>(`/v1/endpoints?url=${hook}`)
    await until(async () => (await endpoint()).state === 'left-alone', 'it has failed five times')
    await page.getByRole('link', { name: 'Integrations' }).click()
    await page.getByRole('button', { name: `Open ${hook}` }).click()
    const shown = page.getByRole('dialog', { name: hook })
    await shown.getByText(/^At last it said 500, /).waitFor()
    await shown.getByText(/Of 5: not delivered 5/).waitFor()
    await expectEveryLook(page, 'an address that fails')
    status = 204
    await shown.getByRole('button', { name: 'Call it again' }).click()
    await shown.locator('[role=status]', { hasText: 'It is called again as messages come.' }).waitFor()
    await shown.getByRole('button', { name: 'Send again' }).click()
    await shown.locator('[role=status]', { hasText: 'Sent again: 5.' }).waitFor()
    await own.track(history.key)
    // of a success the endpoint's view hears while the recipient goes on
    await until(async () => (await endpoint()).said === '204', 'the endpoint is known to take them')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: `Open ${hook}` }).click()
    await shown.getByText(/^At last it said 204, /).waitFor()
    await shown.getByText(/Of 5: taken by another system 5/).waitFor()
    await shown.getByRole('button', { name: 'Stop calling it' }).click()
    await shown.locator('[role=status]', { hasText: 'It is called no more' }).waitFor()
    await shown.getByText(/Switched off since /).waitFor()
    await shown.getByRole('button', { name: 'Call it again' }).click()
    await shown.getByRole('button', { name: 'Stop calling it' }).waitFor()
    await shown.getByRole('link', { name: text }).click()
    await page.getByRole('heading', { name: 'Sent to 5 of 5' }).waitFor()
    await page.locator('[data-class=sentToChat]', { hasText: /^5\s*taken by another system$/ }).waitFor()
    // once, although it was named five times
    await page
      .locator('dl.facts')
      .getByText(`${hook.slice('http://'.length)} · 5 people`, { exact: true })
      .waitFor()
  })

  it('an operator sees those of others, without what they are sent, and removes one', async () => {
    const { page } = boss
    await page.getByRole('link', { name: 'Integrations' }).click()
    await page.getByText('No system is told of anything yet.').waitFor()
    await page.getByLabel('Those of others, too').check()
    const row = page.getByRole('listitem').filter({ hasText: url })
    await row.getByText('Groups: all, of t-01').waitFor()
    await page.getByRole('button', { name: `Open ${url}`, exact: true }).click()
    const shown = page.getByRole('dialog', { name: url })
    expect(await shown.getByRole('button', { name: 'Try it' }).count()).to.equal(0)
    await expectEveryLook(page, "another's")
    await shown.getByRole('button', { name: 'Remove' }).click()
    await shown.getByRole('button', { name: 'No, keep it' }).click()
    await shown.getByRole('button', { name: 'Remove' }).click()
    await shown.getByRole('button', { name: 'Yes, remove it' }).click()
    await page.locator('[role=status]', { hasText: 'The subscription is removed.' }).waitFor()
    await until(async () => {
      const { subscriptions } = await fleet.api.get<SubscriptionList>('/v1/subscriptions?owner=*')
      return subscriptions.length === 0
    }, 'it is gone')
  })
})
