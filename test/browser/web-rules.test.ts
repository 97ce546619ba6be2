/** The rules about people at the web app: an operator sets them, a sender reads who waits, a person says what they want. */
import type { SettingsView, WishesView } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { expectEveryLook, expectFine } from './looks.ts'
import { choose, expectNoComplaints, hurry, type Visit, visit } from './visit.ts'

/** `HH:MM` in UTC, so many hours from now */
const clockIn = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)

describe('the web app and the rules about people', () => {
  let fleet: Fleet
  let browser: Browser
  let boss: Visit
  const address = '+79005550001'

  before(async () => {
    ;[fleet, browser] = await Promise.all([
      // one of them keeps messages for less than the longest window of a rule that is set last
      startFleet({ settings: ({ channel }) => (channel === 'vk' ? { RETENTION_DAYS: '5' } : {}) }),
      launchChromium(),
    ])
    const person = { role: 'student', timeZone: 'UTC', language: 'en' }
    await fleet.api.call('PUT', '/v1/people/boss', { ...person, name: 'Boss', role: 'admin' })
    await fleet.api.call('PUT', '/v1/contacts/sms/boss', { address: '+79005554433' })
    await fleet.api.call('PUT', '/v1/people/ann', { ...person, name: 'Ann' })
    await fleet.api.call('PUT', '/v1/contacts/sms/ann', { address })
    await fleet.api.call('PUT', '/v1/groups/night', { name: 'Night shift', owners: ['boss'] })
    await fleet.api.call('POST', '/v1/groups/night/members', { people: ['ann'] })
    await fleet.api.call('PUT', '/v1/topics/choir', {
      name: { ru: 'Хор', en: 'Choir' },
      senders: ['staff'],
      open: true,
    })
    boss = await visit(browser, fleet, { language: 'en' })
    await boss.signIn('boss')
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
  })
  afterEach(function () {
    return expectNoComplaints.call(this, boss)
  })

  const texts = async () =>
    (await fleet.sandbox.accepted()).filter((row) => row.address === address).map(({ text }) => text)

  async function write(text: string) {
    const { page } = boss
    await page.getByRole('link', { name: 'Write', exact: true }).click()
    await choose(page, /^Night shift/)
    await page.getByLabel('Text', { exact: true }).fill(text)
  }

  it('a sender sends now to those who are to be online first, or leaves them out, and is told how many', async () => {
    const person = { role: 'student', timeZone: 'UTC', language: 'en' }
    const phones = ['+79005550002', '+79005550003']
    for (const [index, phone] of phones.entries()) {
      await fleet.api.call('PUT', `/v1/people/away-${index}`, { ...person, name: `Away ${index}` })
      await fleet.api.call('PUT', `/v1/contacts/sms/away-${index}`, { address: phone })
    }
    await fleet.api.call('PUT', '/v1/people/tutor', { ...person, name: 'Tutor', role: 'trainer', language: 'ru' })
    await fleet.api.call('PUT', '/v1/contacts/sms/tutor', { address: '+79005554434' })
    await fleet.api.call('PUT', '/v1/groups/away', { name: 'Away', owners: ['tutor'] })
    await fleet.api.call('POST', '/v1/groups/away/members', { people: ['away-0', 'away-1'] })
    const api = await fleet.apiOf('tutor', 'trainer')
    const tutor = await visit(browser, fleet, { language: 'ru' })
    await tutor.signIn('tutor')
    const { page } = tutor
    const open = async (text: string) => {
      const key = await api.send({ to: ['group:away'], text, channels: ['sms'], whenOnline: true })
      await until(async () => (await api.history(key)).waiting?.[0]?.people === 2, 'they wait')
      await page.goto(`${fleet.apiUrl}/messages/${key}`)
      return key
    }
    await open('Карточка у вахты')
    await page.getByRole('button', { name: 'Отправить сейчас: 2 человека…' }).click()
    await page.getByText('тем, кто должен был сначала появиться в сети (2 человека)').waitFor()
    await expectEveryLook(page, 'sending to those who wait')
    await page.getByRole('button', { name: 'Да, отправить сейчас' }).click()
    const took = async (text: string) => (await fleet.sandbox.accepted(text)).map((row) => row.address).sort()
    await until(async () => (await took('Карточка у вахты')).length === 2, 'it arrives')
    expect(await took('Карточка у вахты')).to.deep.equal(phones)
    const key = await open('Не понадобится')
    await page.getByRole('button', { name: 'Не отправлять тем, кто ждёт: 2 человека…' }).click()
    await page.getByText('Они его не получат, даже когда появятся в сети (2 человека).').waitFor()
    await page.getByRole('button', { name: 'Да, не отправлять' }).click()
    expect((await api.track(key)).history.people?.why).to.deep.equal({ cancelled: 2 })
    expect(await took('Не понадобится')).to.deep.equal([])
    expect(tutor.complaints).to.deep.equal([])
    await tutor.close()
  })

  it('a message is written again to those only who are not known to have it', async () => {
    const text = 'The hall has changed'
    await fleet.sandbox.phones([{ channel: 'sms', address: '+79005550003', state: 'off' }])
    const key = await fleet.api.send({ to: ['group:away'], text, channels: ['sms'] })
    await until(async () => (await fleet.api.history(key)).people?.delivered === 1, 'one of two has it')
    const { page } = boss
    await page.goto(`${fleet.apiUrl}/messages/${key}`)
    await page.getByRole('button', { name: 'Write again to all but those who have it' }).click()
    await page.getByText('only those who have not confirmed the earlier message').waitFor()
    await expectFine(page, 'writing again')
    await page.getByRole('button', { name: /^Send to 1 person/ }).click()
    await hurry(page)
    const took = async () => (await fleet.sandbox.accepted()).filter((row) => row.text.includes(text))
    await until(async () => (await took()).length === 3, 'it goes out again')
    expect((await took()).map((row) => row.address).sort()).to.deep.equal([
      '+79005550002',
      '+79005550003',
      '+79005550003',
    ])
  })

  it('an operator makes a type and quiet hours, and reads what has changed', async () => {
    const { page } = boss
    await page.getByRole('link', { name: 'Rules' }).click()
    await page.getByRole('button', { name: 'A new type' }).click()
    const dialog = page.getByRole('dialog', { name: 'A new type' })
    await dialog.getByLabel('Id').fill('news')
    await dialog.getByLabel('Name in Russian').fill('Новости')
    await dialog.getByLabel('Name in English').fill('News')
    await dialog.getByRole('checkbox', { name: 'The same text not twice within' }).check()
    await expectEveryLook(page, 'a type')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'News' }).waitFor()

    const all = page.getByRole('form', { name: 'For messages of every type' })
    await all.getByRole('checkbox', { name: 'Quiet hours' }).check()
    await all.getByLabel('From').fill(clockIn(-1))
    await all.getByLabel('To').fill(clockIn(2))
    await all.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Version 2: .*, boss$/).waitFor()
    await page.getByText('type "News": importance 3; the same text not twice within 24 hours').waitFor()
    await page.getByText(/^quiet hours: from \d\d:\d\d to \d\d:\d\d$/).waitFor()
    await expectEveryLook(page, 'the rules')
  })

  it('a sender reads before and after sending who waits, and sends to them now', async () => {
    const { page } = boss
    await write('Held for the morning')
    await page.getByText('More: about what').click()
    await page.getByLabel('About what').selectOption('news')
    await page.getByText(/^It goes out to 1 person from .*: quiet hours of the recipients\.$/).waitFor()
    await page.getByRole('button', { name: /^Send to 1 person/ }).click()
    await hurry(page)
    await page
      .getByText(/quiet hours of the recipients/)
      .first()
      .waitFor()
    await page.getByText(/^SMS: waits until .* or later \(quiet hours of the recipients\)$/).waitFor()
    expect(await texts()).to.deep.equal([])
    await page.getByRole('button', { name: 'Send to 1 person now…' }).click()
    await page.getByRole('button', { name: 'Yes, send it now' }).click()
    await until(async () => (await texts()).some((text) => text.includes('Held for the morning')), 'it arrives')
  })

  it('whoever may not send in quiet hours is told who can, on a phone on which “Sign out” stays on one line', async () => {
    const person = { role: 'trainer', timeZone: 'UTC', language: 'en', name: 'Константинопольская Александра' }
    await fleet.api.call('PUT', '/v1/people/lecturer', person)
    await fleet.api.call('PUT', '/v1/contacts/sms/lecturer', { address: '+79005554435' })
    await fleet.api.call('PUT', '/v1/groups/late', { name: 'Late', owners: ['lecturer'] })
    await fleet.api.call('POST', '/v1/groups/late/members', { people: ['ann'] })
    const api = await fleet.apiOf('lecturer', 'trainer')
    const key = await api.send({ to: ['group:late'], text: 'Until the morning', channels: ['sms'], type: 'news' })
    await until(async () => (await api.history(key)).waiting?.[0]?.cause === 'quiet', 'it waits')
    const lecturer = await visit(browser, fleet, { language: 'en', width: 360, height: 740 })
    await lecturer.signIn('lecturer')
    const { page } = lecturer
    await page.goto(`${fleet.apiUrl}/messages/${key}`)
    await page.getByText('If it cannot wait, ask an operator, who can send it in quiet hours, too').waitFor()
    await page.getByRole('button', { name: 'Leave out 1 person who wait…' }).waitFor()
    expect(await page.getByRole('button', { name: /now…$/ }).count()).to.equal(0)
    const signOut = (await page.getByRole('button', { name: 'Sign out' }).boundingBox())?.height
    expect(signOut).to.equal((await page.getByRole('button', { name: /English/ }).boundingBox())?.height)
    await expectFine(page, 'quiet hours of others, on a phone')
    await page.getByRole('button', { name: /Русский/ }).click()
    await page.getByText('Если ждать нельзя, обратитесь к оператору: он может отправить и в тихие часы').waitFor()
    expect(lecturer.complaints).to.deep.equal([])
    await lecturer.close()
    await fleet.api.call('POST', `/v1/histories/${key}/waiting:cancel`)
  })

  it('a sender is asked before the same people get the same text again', async () => {
    const { page } = boss
    await write('Held for the morning')
    await page.getByText('More: about what').click()
    await page.getByLabel('About what').selectOption('news')
    await page.getByRole('checkbox', { name: 'Send in quiet hours, too' }).check()
    await page.getByRole('button', { name: /^Send to 1 person/ }).click()
    await page.getByText('You sent exactly this text to exactly these people a short while ago.').waitFor()
    await page.getByRole('button', { name: 'Send it anyway' }).click()
    await hurry(page)
    await until(async () => (await texts()).length === 2, 'it arrives a second time')
  })

  it('those who wait are left out, and nobody else', async () => {
    const { page } = boss
    await write('Never to come')
    await page.getByRole('button', { name: /^Send to 1 person/ }).click()
    await hurry(page)
    await page.getByRole('button', { name: 'Leave out 1 person who wait…' }).click()
    await page.getByRole('button', { name: 'Yes, leave them out' }).click()
    await page.locator('[data-class=notDelivered] strong').getByText('1').waitFor()
    expect((await texts()).filter((text) => text.includes('Never to come'))).to.deep.equal([])
  })

  it('somebody says which types they want, when not to be written to, and joins a topic', async () => {
    const { page } = boss
    const wishes = async () => (await fleet.api.call<WishesView>('GET', '/v1/people/boss/wishes')).body
    await page.getByRole('link', { name: 'My contacts' }).click()
    await page.getByRole('checkbox', { name: 'News' }).uncheck()
    await until(async () => (await wishes()).off.join() === 'news', 'news is off')
    await page.getByText('News: by channel').click()
    await page.getByRole('checkbox', { name: 'News' }).check()
    await until(async () => (await wishes()).off.length === 0, 'news is on')
    await page.getByRole('checkbox', { name: 'SMS' }).uncheck()
    await until(async () => (await wishes()).off.join() === 'news:sms', 'news is off by SMS')

    await page.getByRole('radio', { name: 'In hours of my own' }).check()
    await page.getByLabel('From').fill('23:30')
    await page.getByRole('button', { name: 'Save' }).click()
    await until(
      async () => JSON.stringify((await wishes()).quiet) === '{"from":"23:30","to":"07:00"}',
      'own quiet hours are kept',
    )
    expect((await wishes()).off).to.deep.equal(['news:sms'])

    await page.getByRole('checkbox', { name: 'Choir' }).check()
    await until(async () => {
      const { body } = await fleet.api.call('GET', '/v1/topics/choir/members')
      return JSON.stringify(body).includes('boss')
    }, 'the topic is joined')
    await expectEveryLook(page, 'what somebody wishes')
  })

  it('nobody is written to during an exam that an operator has set', async () => {
    const { page } = boss
    await page.getByRole('link', { name: 'Rules' }).click()
    const all = page.getByRole('form', { name: 'For messages of every type' })
    await all.getByRole('button', { name: 'Add an exam' }).click()
    await all.getByLabel('Who sits it').selectOption('night')
    await all.getByRole('button', { name: 'Add a limit' }).click()
    await all.getByLabel('In which time').selectOption('any stretch of')
    await all.getByLabel('At most').fill('50')
    await all.getByRole('button', { name: 'Add a step' }).click()
    await all.getByLabel('Only with at least this importance').selectOption('5: most important')
    await expectEveryLook(page, 'rules with all there is')
    await all.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Version 3: .*, boss$/).waitFor()
    const { body } = await fleet.api.call<SettingsView>('GET', '/v1/settings')
    expect(body.settings).to.deep.include({
      caps: [{ n: 50, per: 'PT1H', over: 'drop' }],
      levels: [{ after: 5, least: 5 }],
    })
    await write('Not during the exam')
    await page.getByText(/^It goes out to 1 person from .*: .*exam/).waitFor()
  })

  it('an earlier version of the rules is set again', async () => {
    const { page } = boss
    await page.getByRole('link', { name: 'Rules' }).click()
    await page.getByRole('button', { name: 'Set again version 1' }).click()
    await page.getByText(/^Version 4: .*, boss$/).waitFor()
    const { body } = await fleet.api.call<SettingsView>('GET', '/v1/settings')
    expect(body.settings.quiet).to.equal(null)
    // the queue, the timekeeper and three couriers
    await page.getByText('5 of 5 processes use version 4 of the settings.').waitFor()
  })

  it('a process that cannot take new settings is named on the page of rules and on that of the service', async () => {
    const { page } = boss
    const all = page.getByRole('form', { name: 'For messages of every type' })
    await all.getByRole('button', { name: 'Add a limit' }).click()
    await all.getByLabel('At most').fill('50')
    await all.getByLabel('In which time').selectOption('any stretch of')
    await all.getByLabel('Unit').selectOption('days')
    await all.getByLabel('How many').fill('7')
    await all.getByRole('button', { name: 'Save' }).click()
    const late = page.getByText(/^courier-vk-1 uses version 4, as of its last sign/)
    await late.waitFor()
    await page.getByText('4 of 5 processes use version 5 of the settings.').waitFor()
    await page.getByRole('link', { name: 'Service', exact: true }).click()
    await late.waitFor()
    await page.getByRole('link', { name: 'Rules' }).click()
    await page.getByRole('button', { name: 'Set again version 4' }).click()
    await page.getByText('5 of 5 processes use version 6 of the settings.').waitFor()
  })

  it('an operator reads whom a change concerns before it is made, and nothing is changed until then', async () => {
    const { page } = boss
    const inTwoHours = new Date(Date.now() + 7_200_000).toISOString()
    const online = await fleet.api.send({ to: ['user:ann'], text: 'When you are there', whenOnline: true })
    await until(async () => (await fleet.api.history(online)).waiting?.length === 1, 'she waits')
    await fleet.api.send({ to: ['group:night'], text: 'Later', type: 'news', at: inTwoHours })
    const version = async () => (await fleet.api.call<SettingsView>('GET', '/v1/settings')).body.version
    const before = await version()
    await page.getByRole('link', { name: 'Write', exact: true }).click()
    await page.getByRole('link', { name: 'Rules' }).click()
    const all = page.getByRole('form', { name: 'For messages of every type' })
    const interval = all.getByRole('checkbox', { name: 'Least time between two messages' })
    const save = all.getByRole('button', { name: 'Save', exact: true })
    await interval.check()
    await save.click()
    const note = all.getByRole('status')
    await note.getByText(/^1 person waits because of a rule, counted on each channel \(1: they are to be/).waitFor()
    await note.getByText(/^1 message has not started, to 1 recipient in all, the first is due /).waitFor()
    expect(await version()).to.equal(before)
    await expectEveryLook(page, 'whom a change concerns')
    // what was said was said of another change
    await all.getByRole('button', { name: 'Add a step' }).click()
    await note.waitFor({ state: 'detached' })
    await save.click()
    await note.waitFor()
    await all.getByRole('button', { name: 'Yes, save' }).click()
    await page.getByText(new RegExp(`^Version ${before + 1}: `)).waitFor()
    await page.getByRole('button', { name: `Set again version ${before}`, exact: true }).click()
    // whether she waits just then hangs on when she was looked at last; what has not started does not
    await page.getByText(/^1 message has not started, to 1 recipient in all/).waitFor()
    await page.getByRole('button', { name: `Yes, set again version ${before}` }).click()
    await page.getByText(new RegExp(`^Version ${before + 2}: `)).waitFor()
  })

  it('of a type that is what has this type, in Russian too', async () => {
    const russian = await visit(browser, fleet, { language: 'ru' })
    await fleet.api.call('PUT', '/v1/people/chief', { name: 'Chief', role: 'admin', timeZone: 'UTC', language: 'ru' })
    await fleet.api.call('PUT', '/v1/contacts/sms/chief', { address: '+79005554435' })
    await russian.signIn('chief')
    const { page } = russian
    await page.goto(`${fleet.apiUrl}/rules`)
    await page.getByRole('button', { name: 'Новости' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Удалить вид', exact: true }).click()
    const scheduled = dialog.getByText(/^Ещё не начата отправка: 1 сообщение, получателей всего 1, ближайшее /)
    await scheduled.waitFor()
    expect(await dialog.getByText('Из-за правил ждут').count()).to.equal(0)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectEveryLook(page, 'removing a type')
    await dialog.getByRole('checkbox', { name: 'Уходят и в тихие часы' }).check()
    await dialog.getByRole('button', { name: 'Сохранить', exact: true }).click()
    await dialog.getByRole('button', { name: 'Да, сохранить' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Новости' }).click()
    await dialog.getByRole('button', { name: 'Удалить вид', exact: true }).click()
    await dialog.getByRole('button', { name: 'Да, удалить вид' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await fleet.api.call<SettingsView>('GET', '/v1/settings')).body.settings.types).to.deep.equal([])
    expect(russian.complaints).to.deep.equal([])
    await russian.close()
  })
})
