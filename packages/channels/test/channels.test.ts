import { channelPattern, sources } from '@courier-fleet/api-types'
import { expect } from 'chai'
import {
  bitOfChannel,
  channelNames,
  channelOf,
  channels,
  channelsInBits,
  isReal,
  sourceOf,
  tellsMore,
  writtenChannels,
} from '../src/index.ts'

const tools = { phoneNumber: (text: string) => (/^\+\d{11}$/.test(text) ? text : undefined) }

describe('the channels', () => {
  for (const { name, words, address, abilities, settings, sandboxLimits, isForSystems } of channels)
    describe(name, () => {
      it('has a name that can stand in keys, roster columns and variables', () => {
        expect(name).to.match(channelPattern)
        if (address.column !== undefined) expect(address.column).to.match(/^[a-z]+$/)
        for (const variable of [...settings.real.flat(), settings.rate])
          expect(variable).to.match(new RegExp(`^${name.toUpperCase()}_[A-Z_]+$`))
      })

      it('is spoken of in both languages, and tells in both how to link it or in neither', () => {
        expect(Object.keys(words.ru)).to.have.members(Object.keys(words.en))
        for (const said of [words.ru, words.en]) if (said.link) expect(said.link('12345678')).to.include('12345678')
      })

      it('takes its own made-up addresses as they are, each another one', () => {
        const made = Array.from({ length: 1000 }, (_unused, index) => address.madeUp(index))
        expect(new Set(made).size).to.equal(made.length)
        for (const each of made) expect(address.normalise(each, tools)).to.equal(each)
        for (const each of ['', ' ', 'a b', '-1', '0']) expect(address.normalise(each, tools)).to.equal(undefined)
      })

      it('tells first that a message was sent, in short, too, where that is all; and has a limit in the sandbox', () => {
        expect(abilities.tells[0]).to.equal(isForSystems ? 'taken' : 'sent')
        for (const { shortSent, shortestSent } of [words.en, words.ru])
          for (const said of [shortSent, shortestSent]) expect(said === undefined).to.equal(tellsMore(name))
        for (const limit of Object.values(sandboxLimits)) expect(limit).to.be.above(0)
      })
    })

  it('have names, columns and inbound processes of their own', () => {
    const unique = (values: readonly unknown[]) => expect(new Set(values).size).to.equal(values.length)
    unique(channelNames)
    unique(writtenChannels.map(({ column }) => column))
    unique(channels.flatMap(({ inbound }) => inbound?.name ?? []))
    for (const { name, inbound } of channels) if (inbound) expect(sources).to.include(sourceOf(name))
  })

  it('have each a number of its own, for good', () => {
    const numbers = { telegram: 0, vk: 1, sms: 2, mail: 3, http: 4, push: 5 }
    for (const [name, number] of Object.entries(numbers)) expect(channelOf(name).number, name).to.equal(number)
    expect(new Set(channels.map(({ number }) => number)).size).to.equal(channels.length)
    for (const { number } of channels) expect(number).to.be.within(0, 14)
    expect(channelsInBits(bitOfChannel('sms') | bitOfChannel('telegram'))).to.deep.equal(['sms', 'telegram'])
  })

  it('are found by name', () => {
    expect(channelOf('vk').name).to.equal('vk')
    expect(() => channelOf('pigeon')).to.throw(`no channel "pigeon": there are ${channelNames.join(', ')}`)
    expect(sourceOf('pigeon')).to.equal('api')
  })

  it('are real as soon as the first variable of a group is set, and then all of it must be', () => {
    const sms = channelOf('sms')
    expect(isReal(sms, {})).to.equal(false)
    expect(isReal(sms, { SMS_SMPP_URL: 'smpp://a' })).to.equal(true)
    expect(() => isReal(sms, { SMS_HTTP_URL: 'https://a' })).to.throw(
      'SMS_HTTP_URL is set, but not SMS_HTTP_CALLBACK_URL and SMS_HTTP_CALLBACK_PORT',
    )
  })
})
