import type { ApplicationList, EnrolmentView, HistoriesPage, PersonDetails } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { openApiGate } from './api-gate.ts'
import { codeToApply } from './applicant.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { type Inbound, startInbound } from './inbound.ts'

/** s-ivt-101-07 */
const student = '5001004'
const stranger = '5990001'

describe('messages to the VK community', () => {
  let fleet: Fleet
  let inbound: Inbound
  const say = (from: string, text: string) => fleet.sandbox.say('vk', from, text)
  const textsTo = async (peer: string) =>
    (await fleet.sandbox.accepted(undefined, 'vk')).filter(({ address }) => address === peer).map(({ text }) => text)
  const heard = (peer: string, pattern: RegExp) =>
    until(async () => (await textsTo(peer)).some((text) => pattern.test(text)), `${peer} reads ${pattern}`)
  const contactOf = async (person: string) => (await fleet.api.get<PersonDetails>(`/v1/people/${person}`)).contacts.vk

  before(async () => {
    fleet = await startFleet({ couriers: { telegram: 0, sms: 0 } })
    inbound = await startInbound(fleet, 'vk-inbound')
  })
  after(() => inbound?.stop().finally(() => fleet.stop()))

  it('link an account with a code; a stranger is told how, once', async () => {
    for (const text of ['Начать', 'привет', 'СТОП']) await say(stranger, text)
    await heard(stranger, /возьмите код/)
    await say(stranger, 'код 0000-0000')
    await heard(stranger, /^Код не подошёл/)
    const enrolment = { channel: 'vk', person: 't-01' }
    const { body } = await fleet.api.call<EnrolmentView>('POST', '/v1/enrolments', enrolment)
    await say(stranger, `КОД ${body.code}`)
    await heard(stranger, /^Готово, Гусева Алёна/)
    expect(await contactOf('t-01')).to.include({ address: stranger, state: 'active' })
    expect((await textsTo(stranger)).filter((text) => /^Здравствуйте/.test(text))).to.have.length(1)
  })

  it('link an account by a link, with whatever is written first', async () => {
    const [person, peer] = ['t-02', '5990002']
    const { body } = await fleet.api.call<EnrolmentView>('POST', '/v1/enrolments', { channel: 'vk', person })
    await fleet.sandbox.follow('vk', peer, body.url as string)
    await heard(peer, /^Готово, /)
    expect(await contactOf(person)).to.include({ address: peer, state: 'active' })
  })

  it('prove the contact of somebody who applies, who is linked to nobody by that', async () => {
    const peer = '5990003'
    await say(peer, `КОД ${await codeToApply(fleet, 'vk', 'en')}`)
    await heard(peer, /^Your contact is proved, and the office has your application/)
    const { applications } = await fleet.api.get<ApplicationList>('/v1/applications')
    expect(applications.map(({ channel, address, linkedTo }) => [channel, address, linkedTo])).to.deep.equal([
      ['vk', peer, undefined],
    ])
  })

  it('are greeted once a day, and not answered otherwise', async () => {
    for (const text of ['Здравствуйте', 'ИВТ-101: Пары не будет', '?']) await say(student, text)
    await heard(student, /^Здравствуйте, Наумов Даниил/)
    await say(student, '/stop')
    await heard(student, /^Больше сюда не пишем/)
    expect(await textsTo(student)).to.have.length(2)
  })

  it('tell a teacher who writes as to a group that nothing was sent, and where to write instead, every time', async () => {
    // linked above; greeted once, for what is no message to anybody
    for (const text of ['ИВТ-101: Пары не будет', 'добрый день', 'ИВТ-101: Пары не будет', 'ИВТ-101:'])
      await say(stranger, text)
    const told = async () => (await textsTo(stranger)).filter((text) => text.startsWith('Ничего не отправлено'))
    await until(async () => (await told()).length === 3, 'it is told every time')
    expect((await told())[0]).to.match(/отсюда группам не пишут\. Напишите на сайте/)
    expect(await fleet.sandbox.accepted('Пары не будет')).to.deep.equal([])
    expect((await fleet.api.get<HistoriesPage>('/v1/histories?sender=t-01')).histories).to.deep.equal([])
    await say('5990002', 'Privet: all')
    await heard('5990002', /^Ничего не отправлено/)
  })

  it('tell what one may write whenever it is asked', async () => {
    const asking = '5001007'
    const told = async (times: number) =>
      until(
        async () => (await textsTo(asking)).filter((text) => /ТИХО 23-7/.test(text)).length === times,
        `it is told ${times} times`,
      )
    await say(asking, 'привет')
    await told(1)
    await say(asking, 'ПОМОЩЬ')
    await told(2)
    await say(asking, 'help')
    await told(3)
  })

  it('end messages with STOP and begin them with START', async () => {
    expect((await contactOf('s-ivt-101-07'))?.state).to.equal('opted-out')
    const send = () => fleet.api.deliver({ to: ['user:s-ivt-101-07'], channels: ['vk'], text: 'после стопа' })
    const [row] = await fleet.api.receipts((await send()).history.key)
    expect(row?.channels.vk).to.deep.include({ state: 'suppressed', reason: 'opted-out' })
    await say(student, 'Старт')
    await heard(student, /^Снова пишем сюда/)
    expect((await send()).ending).to.equal('handed-over')
  })

  it('are read when the process is back, each done once, wherever it was killed', async () => {
    const gate = await openApiGate(fleet.apiUrl)
    await inbound.kill()
    const other = await startInbound(fleet, 'vk-inbound', { FLEET_API_URL: gate.url })
    try {
      const done = gate.swallow('POST', /\/answers$/)
      await say('5001005', 'СТАРТ')
      await done
      await other.kill()
      await say('5001006', 'СТАРТ')
      await other.start()
      for (const peer of ['5001005', '5001006']) {
        await heard(peer, /^Снова пишем сюда/)
        expect(await textsTo(peer)).to.have.length(1)
      }
    } finally {
      await other.stop().finally(() => gate.close())
    }
    await inbound.start()
  })

  it('of one who has to wait hold up nobody else, and are not lost by a kill', async () => {
    const gate = await openApiGate(fleet.apiUrl)
    await inbound.kill()
    const other = await startInbound(fleet, 'vk-inbound', { FLEET_API_URL: gate.url })
    try {
      const held = gate.stop('POST', /./)
      await say('5001008', 'СТОП')
      await held
      await say('5001009', 'СТОП')
      await heard('5001009', /^Больше сюда не пишем/)
      expect(await textsTo('5001008')).to.deep.equal([])
      await other.kill()
      await other.start()
      await heard('5001008', /^Больше сюда не пишем/)
    } finally {
      await other.stop().finally(() => gate.close())
    }
    for (const peer of ['5001008', '5001009']) expect(await textsTo(peer)).to.have.length(1)
    await inbound.start()
  })
})
