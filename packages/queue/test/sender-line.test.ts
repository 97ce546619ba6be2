import { type HistoryView, parseHistoryKey, type RehearsalView } from '@courier-fleet/api-types'
import { contentOn } from '@courier-fleet/channels'
import { keys, parseRecord } from '@courier-fleet/store'
import { expect } from 'chai'
import { shortNameOf } from '../src/acceptance/short-name.ts'
import { readRules } from '../src/limits/rules.ts'
import { far } from './service.ts'
import { startUniversity, type University } from './university.ts'

describe('the sender line', () => {
  let fleet: University
  const rename = (name: string) =>
    fleet.directory.putPerson({ id: 'trainer-1', name, role: 'trainer', timeZone: 'Europe/Moscow', language: 'ru' })
  const start = async (env: Record<string, string> = {}) => {
    fleet = await startUniversity({ ...readRules(env), quotas: {} })
    await rename('Гусева Анна Петровна')
  }
  afterEach(() => fleet.stop())

  const issue = async () => (await fleet.ask<{ key: string }>('POST /v1/history-keys', { as: 'trainer' })).json.key
  const body = { to: ['group:own'], text: 'Пары не будет', at: far }
  /** As couriers read it. */
  const sent = async (key: string, channel: string) =>
    contentOn(channel, parseRecord((await fleet.redis.get(keys.record(parseHistoryKey(key)))) as string))
  const put = async (message: object = body) => {
    const key = await issue()
    const { status } = await fleet.ask(`PUT /v1/histories/${key}`, { as: 'trainer' }, message)
    expect(status).to.equal(201)
    return key
  }
  const rehearse = async (message: object) =>
    (await fleet.ask<RehearsalView>('POST /v1/audiences:resolve', { as: 'trainer' }, message)).json

  it('says who writes and to which groups, and stays as it was whoever is renamed', async () => {
    await start()
    const key = await put()
    expect((await sent(key, 'telegram')).text).to.equal('Гусева А. П. · Own group\nПары не будет')
    expect((await sent(key, 'sms')).text).to.equal('Гусева А. П., Own group\nПары не будет')
    await rename('Анна Петровна Новая')
    await fleet.directory.putGroup({ id: 'own', name: 'Other', owners: ['trainer-1'] })
    expect((await fleet.ask(`PUT /v1/histories/${key}`, { as: 'trainer' }, body)).status).to.equal(200)
    expect((await sent(key, 'vk')).text).to.equal('Гусева А. П. · Own group\nПары не будет')
    const { json } = await fleet.ask<HistoryView>(`GET /v1/histories/${key}`, { as: 'trainer' })
    expect(json).to.include({ text: 'Пары не будет', senderLine: 'Гусева А. П. · Own group' })
    expect((await sent(await put(), 'telegram')).text).to.equal('Новая А. П. · Other\nПары не будет')
  })

  it('is in the rehearsal, and counted in parts of SMS', async () => {
    await start()
    await fleet.directory.linkContact('sms', 'anna', '+79002220001')
    const text = 'ж'.repeat(60)
    const view = await rehearse({ to: ['group:own'], text })
    expect(view.senderLines).to.deep.equal({ sms: 'Гусева А. П., Own group' })
    expect(view.text).to.deep.equal({ length: 60, tooLongOn: [], sms: { encoding: 'ucs2', parts: 2, total: 2 } })
    await fleet.directory.linkContact('telegram', 'anna', '101')
    await fleet.directory.linkContact('vk', 'anna', '5101')
    expect((await rehearse({ to: ['user:anna'], text })).senderLines).to.deep.equal({
      sms: 'Гусева А. П.',
      telegram: 'Гусева А. П.',
      vk: 'Гусева А. П.',
    })
  })

  it('names as many groups as fit', async () => {
    await start()
    const groups = Array.from({ length: 12 }, (_, index) => `g-${index}`)
    for (const id of groups) {
      await fleet.directory.putGroup({ id, name: `Группа ${id} два`, owners: ['trainer-1'] })
      await fleet.directory.addMembers(id, ['anna'])
    }
    await fleet.directory.linkContact('telegram', 'anna', '101')
    const { senderLines } = await rehearse({ to: ['user:anna', ...groups.map((id) => `group:${id}`)] })
    expect(senderLines.telegram).to.equal('Гусева А. П. · Группа g-0 два, Группа g-1 два +10')
  })

  it('is what the settings say, for the fleet and for one channel', async () => {
    await start({ FLEET_SENDER_LINE_SMS: 'name', FLEET_SENDER_LINE_VK: 'off' })
    const key = await put()
    expect((await sent(key, 'sms')).text).to.equal('Гусева А. П.\nПары не будет')
    expect((await sent(key, 'vk')).text).to.equal('Пары не будет')
    expect((await sent(key, 'telegram')).text).to.match(/^Гусева А. П. · Own group\n/)
    await fleet.stop()
    await start({ FLEET_SENDER_LINE: 'off' })
    expect((await sent(await put(), 'telegram')).text).to.equal('Пары не будет')
    expect((await rehearse({ to: ['group:own'] })).senderLines).to.deep.equal({})
    expect(() => readRules({ FLEET_SENDER_LINE: 'yes' })).to.throw('FLEET_SENDER_LINE must be one of name-and-groups')
    expect(() => readRules({ FLEET_SENDER_LINE_SMS: 'yes' })).to.throw('FLEET_SENDER_LINE_SMS must be one of')
  })

  it('has nobody to name where a system writes, and stands on none of the own words of the fleet', async () => {
    await start()
    await fleet.directory.deletePerson('trainer-1')
    expect((await sent(await put(), 'telegram')).text).to.equal('Пары не будет')
    await fleet.codeFor('staff-1')
    expect((await fleet.systemTexts())[0]).to.match(/^Код для входа/)
  })

  it('leaves a subject where the channel has one', async () => {
    await start()
    const key = await put({ ...body, subject: ' Замена ' })
    expect(await sent(key, 'mail')).to.deep.equal({
      text: 'Гусева А. П. · Own group\nПары не будет',
      subject: 'Замена',
    })
    expect(await sent(key, 'vk')).not.to.have.property('subject')
    expect((await sent(await put(), 'mail')).subject).to.equal('Пары не будет')
    const refused = await fleet.ask(
      `PUT /v1/histories/${await issue()}`,
      { as: 'trainer' },
      { ...body, subject: 'a\nb' },
    )
    expect(refused.json).to.include({ status: 422, field: 'subject' })
  })
})

describe('a name in front of a text', () => {
  it('is shortened where the surname is certain, and stands as it is elsewhere', () => {
    const names: [string, string][] = [
      ['Гусева Анна Петровна', 'Гусева А. П.'],
      ['Анна Петровна Гусева', 'Гусева А. П.'],
      ['Гусева  Алёна', 'Гусева А.'],
      ['Анна Иванова', 'Иванова А.'],
      ['Головина Ирина', 'Головина Ирина'],
      ['Anna Guseva', 'Anna Guseva'],
      ['Учебный отдел', 'Учебный отдел'],
      ['Мария', 'Мария'],
    ]
    for (const [name, short] of names) expect(shortNameOf(name), name).to.equal(short)
  })
})
