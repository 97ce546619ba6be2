import type { EndpointsView } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { endpointsWords, endpointWords, moreEndpointsWords } from '../src/endpoint-words.ts'

const at = (time: string) => `2026-09-01T${time}:00.000Z`
const time = (moment: string) => moment.slice(11, 16)
const left = { host: 'lms.example.org', state: 'left-alone', since: at('12:03'), said: '503' } as const
const view = (told: Partial<EndpointsView>): EndpointsView => ({
  channel: 'http',
  leftAlone: 0,
  off: 0,
  atLeast: false,
  first: [],
  ...told,
})

describe('URLs that are not called', () => {
  const both = <T>(words: (language: 'en' | 'ru') => T) => (['en', 'ru'] as const).map(words)

  it('are counted by what became of them', () => {
    const said = (told: Partial<EndpointsView>) => both((language) => endpointsWords(language, view(told)))
    expect(said({ leftAlone: 3, off: 1 })).to.deep.equal([
      'URLs left alone: 3 · switched off: 1',
      'временно не вызываем URL: 3 · выключено: 1',
    ])
    expect(said({ off: 2 })).to.deep.equal(['switched off: 2', 'выключено: 2'])
    expect(said({ leftAlone: 500, atLeast: true })).to.deep.equal([
      'URLs left alone: at least 500',
      'временно не вызываем URL: не меньше 500',
    ])
  })

  it('say since when, and when they are tried again', () => {
    const said = (endpoint: EndpointsView['first'][number]) =>
      both((language) => endpointWords(language, endpoint, at('12:10'), time))
    expect(said({ ...left, nextTryAt: at('12:20') })).to.deep.equal([
      'left alone since 12:03, tried again at 12:20',
      'не вызываем с 12:03, попробуем снова в 12:20',
    ])
    expect(said({ ...left, nextTryAt: at('12:05') }), 'nobody has had anything for it since').to.deep.equal([
      'left alone since 12:03, tried again with the next message for it',
      'не вызываем с 12:03, попробуем снова со следующим сообщением для него',
    ])
    expect(said({ ...left, state: 'off' })).to.deep.equal([
      'switched off since 12:03, until somebody has it called again',
      'выключен с 12:03, пока его не включат снова',
    ])
  })

  it('say how many are not named', () => {
    const said = (told: Partial<EndpointsView>) => both((language) => moreEndpointsWords(language, view(told)))
    expect(said({ leftAlone: 4, off: 1, first: [left] })).to.deep.equal(['and 4 more', 'и ещё 4'])
    expect(said({ leftAlone: 1, first: [left] })).to.deep.equal([undefined, undefined])
  })
})
