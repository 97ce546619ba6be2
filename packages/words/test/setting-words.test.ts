/** What was set reads as words in both languages: no path, no JSON, and no setting left out. */

import { type FleetSettings, fleetSettings, settingsPatch } from '@courier-fleet/api-types'
import { channelNames } from '@courier-fleet/channels'
import { expect } from 'chai'
import { differenceWords, settingWords } from '../src/setting-words.ts'

const languages = ['en', 'ru'] as const
const both = (setting: string, after: unknown, before: unknown = null) =>
  languages.map((language) => settingWords(language, { setting, before, after }))

describe('what somebody has set', () => {
  it('is told with its numbers, in both languages', () => {
    expect(both('quiet', { from: '22:00', to: '08:00', days: ['fri', 'sat'] })).to.deep.equal([
      'quiet hours: from 22:00 to 08:00, if they begin on: Fri, Sat',
      'тихие часы: с 22:00 до 08:00, если начинаются в эти дни: пт, сб',
    ])
    expect(
      both('caps', [
        { n: 3, per: 'day', over: 'wait' },
        { n: 50, per: 'PT1H', over: 'drop' },
      ]),
    ).to.deep.equal([
      'messages of any type to one person: at most 3 in a day of theirs (one more waits until there is room), at most 50 within 1 hour (one more is not sent)',
      'сообщений любого вида одному человеку: не больше 3 за день получателя (лишнее ждёт, пока можно), не больше 50 за 1 час (лишнее не отправляется)',
    ])
    const day = { trainer: { parts: 200 } }
    const budgets = { month: { millionths: 10_000_000_000, currency: 'RUB' }, day, exempt: ['alarm'] }
    expect(both('budgets', budgets).map((each) => each.replaceAll('\u00a0', ' '))).to.deep.equal([
      'budgets of SMS: of everybody together a month: ₽10,000; of one sender (trainer) a day: 200 SMS; but for the types alarm',
      'бюджеты SMS: на месяц всем вместе – 10 000 ₽; на день одному отправителю (trainer) – 200 SMS; кроме видов: alarm',
    ])
    expect(both('tellRead', ['vk'])).to.deep.equal([
      'where it is told who has read: VK',
      'где известно, кто прочитал: ВКонтакте',
    ])
    expect(both('interval', 'PT30M')).to.deep.equal([
      'between two messages of any type: at least 30 minutes',
      'между двумя сообщениями любого вида: не меньше чем 30 минут',
    ])
    expect(both('levels', [{ after: 5, least: 4 }])).to.deep.equal([
      'when somebody has had many messages in a day: after 5 in a day only those of importance 4 and above',
      'когда сообщений за день уже много: после 5 за день — только с важностью 4 и выше',
    ])
    expect(both('quietJitterSeconds', 120)).to.deep.equal([
      'after quiet hours people are written to: not all at once but within 2 minutes',
      'кто ждал конца тихих часов, тем пишем: не сразу всем, а за 2 минуты',
    ])
    expect(both('retentionDays', 90)).to.deep.equal([
      'a message is kept, once it is over, for: 90 days',
      'сообщение хранится, когда с ним всё кончено: 90 дней',
    ])
    expect(both('channels.vk.perSecond', 'off')).to.deep.equal([
      'VK, a second at most: no limit on our side',
      'ВКонтакте, в секунду не больше: без предела с нашей стороны',
    ])
  })

  it('with what it was before, also where nobody had set it', () => {
    const difference = (setting: string, before: unknown, after: unknown) =>
      languages.map((language) => differenceWords(language, { setting, before, after }))
    expect(difference('channels.vk.perSecond', null, 20)).to.deep.equal([
      { name: 'VK, a second at most', before: 'as the fleet was started', after: '20' },
      { name: 'ВКонтакте, в секунду не больше', before: 'как при запуске', after: '20' },
    ])
    expect(difference('retentionDays', 90, 30)[0]).to.include({ before: '90 days', after: '30 days' })
    expect(difference('types.news', null, null)[0]).to.deep.include({ name: 'type "news"', before: 'none' })
  })

  it('of a role its name, whose rights it has and how many messages it may send; of one that is gone its name', () => {
    const dean = { id: 'dean', name: { ru: 'Декан', en: 'Dean' }, rights: 'staff', quota: 3 }
    expect(both('roles.dean', dean)).to.deep.equal([
      'role "Dean": rights of staff; at most 3 messages a day',
      'роль «Декан»: права — staff; сообщений за день не больше 3',
    ])
    expect(both('roles.dean', { ...dean, quota: null })).to.deep.equal([
      'role "Dean": rights of staff; any number of messages a day',
      'роль «Декан»: права — staff; сообщений за день без предела',
    ])
    expect(settingWords('en', { setting: 'roles.dean', before: dean, after: null })).to.equal('role "Dean": removed')
    expect(settingWords('ru', { setting: 'roles.dean', before: dean, after: null })).to.equal('роль «Декан»: удалена')
  })

  it('of a type its name and its rules; of one that is gone its name', () => {
    const news = {
      ...{ id: 'news', number: 2, name: { ru: 'Новости', en: 'News' }, level: 2, optOut: 'allowed' },
      ...{ quiet: 'ignore', senders: ['trainer'], interval: 'PT30M', duplicates: { window: 'PT24H' } },
      caps: [{ n: 2, per: 'day', over: 'drop' }],
    }
    const roleName = (role: string) => ({ trainer: 'преподаватель' })[role] ?? role
    expect(settingWords('ru', { setting: 'types.news', before: null, after: news }, roleName)).to.equal(
      'вид «Новости»: важность 2; и в тихие часы; один и тот же текст не дважды за 24 часа; между двумя не меньше чем 30 минут; ' +
        'не больше 2 за день получателя (лишнее не отправляется); отправляют только: преподаватель',
    )
    expect(both('types.news', { ...news, quiet: 'respect', senders: [], caps: [], optOut: 'mandatory' })[0]).to.equal(
      'type "News": importance 2; mandatory; the same text not twice within 24 hours; at least 30 minutes between two',
    )
    expect(
      both('types.news', {
        ...news,
        quiet: 'respect',
        senders: [],
        caps: [],
        duplicates: undefined,
        interval: undefined,
        merge: 'PT60S',
      }),
    ).to.deep.equal([
      'type "News": importance 2; as one message what a person is to get within 60 seconds',
      'вид «Новости»: важность 2; одним сообщением всё, что человеку за 60 секунд',
    ])
    const steps = [{ channels: ['telegram', 'vk'] }, { channels: ['sms'], after: 'PT10M', unless: 'sent' }]
    expect(
      both('types.news', {
        ...news,
        quiet: 'respect',
        senders: [],
        caps: [],
        optOut: 'allowed',
        duplicates: undefined,
        interval: undefined,
        steps,
      }),
    ).to.deep.equal([
      'type "News": importance 2; in steps (Telegram, VK; SMS, 10 minutes later, only to people it could not be sent to before)',
      'вид «Новости»: важность 2; по шагам (Telegram, ВКонтакте; SMS, позже на 10 минут, только тем, кому не отправилось раньше)',
    ])
    expect(both('types.news', null, news)).to.deep.equal(['type "News": removed', 'вид «Новости»: удалён'])
  })

  it('never says more than is known of what is not set: that it was set to none reads the same', () => {
    expect(both('quiet', null)).to.deep.equal([
      'quiet hours: none, or as the fleet was started',
      'тихие часы: нет, или как при запуске',
    ])
    expect(both('caps', null)[0]).to.equal('messages of any type to one person: as the fleet was started')
    expect(both('channels.vk.batchSize', null)[0]).to.equal(
      'VK, people of one send job at most: as the fleet was started',
    )
  })

  it('every setting there is has words, whatever it is set to; one that is not known yet is told as it is', () => {
    const first: FleetSettings = fleetSettings.parse({})
    const paths = Object.keys(first).filter((name) => !['types', 'formerTypes', 'roles', 'channels'].includes(name))
    const tunings = Object.keys(settingsPatch.shape.channels.unwrap().valueType.shape)
    const inChannels = channelNames.flatMap((channel) => tunings.map((name) => `channels.${channel}.${name}`))
    for (const path of [...paths, ...inChannels])
      for (const after of [null, first[path as keyof FleetSettings] ?? null])
        for (const words of both(path, after)) {
          expect(words, path).not.to.match(/[a-z][A-Z]|^\w+\.\w|[{}[\]]|undefined|NaN|null/)
        }
    expect(both('moonlight', { on: true })[0]).to.equal('moonlight: {"on":true}')
  })
})
