/** What is said against a channel's settings before they are saved: only what is known. */
import type { ChannelView } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { tuningWarnings } from '../src/tuning-warnings.ts'

const of = (channel: string, pace: object = {}, startedWith?: object) =>
  ({ channel, couriers: [{ pace, ...(startedWith ? { startedWith } : {}) }] }) as unknown as ChannelView
const both = (view: ChannelView, wanted: Parameters<typeof tuningWarnings>[2]) =>
  (['en', 'ru'] as const).map((language) => tuningWarnings(language, view, wanted))

describe('what is said against the settings of a channel', () => {
  it('is that its provider allows less, where it says what it allows everybody', () => {
    const said = [
      ['VK allows at most 20 calls a second: beyond that it asks to be sent less, and everybody waits.'],
      ['ВКонтакте разрешает не больше 20 обращений в секунду: сверх этого попросит слать реже, и ждать будут все.'],
    ]
    expect(both(of('vk'), { perSecond: 21 })).to.deep.equal(said)
    expect(both(of('vk'), { perSecond: 'off' })).to.deep.equal(said)
    expect(both(of('vk'), { perSecond: 20 })).to.deep.equal([[], []])
    expect(both(of('vk'), { perSecond: null })).to.deep.equal([[], []])
    expect(tuningWarnings('en', of('telegram'), { perSecond: 31 })[0]).to.include('30 messages')
    expect(both(of('sms'), { perSecond: 1000 }), 'that is agreed with each').to.deep.equal([[], []])
  })

  it('is that a process keeps to the window it was started with', () => {
    expect(both(of('sms', { window: 5 }, { window: 10 }), { window: 11 })).to.deep.equal([
      ['No process will have more than 10 people without an answer yet: so it was started.'],
      ['Больше 10 человек, о которых ещё нет ответа, у одного процесса не будет: так он запущен.'],
    ])
    expect(both(of('sms', { window: 10 }), { window: 10 })).to.deep.equal([[], []])
    expect(both({ ...of('sms'), couriers: [] }, { window: 99 }), 'nobody knows').to.deep.equal([[], []])
  })
})
