/** Whom of those who wait a page counts and names before it sends to them, or leaves them out. */
import type { HistoryView, WaveCause } from '@courier-fleet/api-types'
import { whoWaits } from '@courier-fleet/words'
import { expect } from 'chai'
import { en } from '../src/texts/en.ts'
import { ru } from '../src/texts/ru.ts'

type Facts = Parameters<typeof whoWaits>[0]

/** On one channel, each for one cause. */
function waitingFor(causes: Partial<Record<WaveCause, number>>): Facts {
  const waiting = Object.entries(causes).map(([cause, people], day) => ({
    at: `2026-09-0${day + 1}T05:00:00.000Z`,
    channel: 'sms',
    cause: cause as WaveCause,
    people,
    words: '',
  }))
  const pending = waiting.reduce((sum, { people }) => sum + people, 0)
  return { waiting, people: { pending }, channels: { sms: { pending } } } as unknown as HistoryView
}

describe('who waits, and what the page says of them', () => {
  const both = waitingFor({ quiet: 2, online: 3, capped: 1 })

  it('counts who waits to be online, and who is in quiet hours for those who may send in them', () => {
    expect(whoWaits(both, true)).to.deep.equal({ quiet: 2, forOperators: 0, online: 3, now: 5, all: 6 })
    expect(whoWaits(both, false)).to.deep.equal({ quiet: 0, forOperators: 2, online: 3, now: 3, all: 6 })
    expect(whoWaits(waitingFor({ online: 212 }), false)).to.deep.equal({
      quiet: 0,
      forOperators: 0,
      online: 212,
      now: 212,
      all: 212,
    })
    expect(whoWaits(waitingFor({}), true)).to.deep.equal({ quiet: 0, forOperators: 0, online: 0, now: 0, all: 0 })
  })

  it('counts nobody for a cause they do not wait for, where each channel has another', () => {
    const wave = (channel: string, cause: WaveCause, people: number, hour: number) => ({
      at: `2026-09-01T0${hour}:00:00.000Z`,
      channel,
      cause,
      people,
      words: '',
    })
    const ofFour = (waiting: readonly ReturnType<typeof wave>[], pendingOn: Readonly<Record<string, number>>) =>
      whoWaits(
        {
          waiting,
          people: { pending: 4 },
          channels: Object.fromEntries(Object.entries(pendingOn).map(([name, pending]) => [name, { pending }])),
        } as unknown as HistoryView,
        true,
      )
    // one and four on Telegram, two and four on VK; three on Telegram, for another cause
    const overlap = (cause: WaveCause, other: WaveCause) =>
      ofFour([wave('telegram', cause, 2, 8), wave('vk', cause, 2, 8), wave('telegram', other, 1, 9)], {
        telegram: 3,
        vk: 2,
      })
    expect(overlap('capped', 'quiet')).to.include({ quiet: 1, online: 0, now: 1, all: 4 })
    expect(overlap('quiet', 'capped')).to.include({ quiet: 3, online: 0, now: 3, all: 4 })
    // all of them on both
    const twice = (cause: WaveCause) =>
      ofFour([wave('vk', cause, 4, 8), wave('telegram', 'quiet', 4, 9)], { telegram: 4, vk: 4 })
    expect(twice('capped')).to.include({ quiet: 4, online: 0, now: 4, all: 4 })
    expect(twice('online')).to.include({ quiet: 4, online: 4, now: 4, all: 4 })
  })

  it('names them, in both languages', () => {
    const online = whoWaits(waitingFor({ online: 21 }), false)
    const quiet = whoWaits(waitingFor({ quiet: 1 }), true)
    const mixed = whoWaits(both, true)
    expect([online, quiet, mixed].map(en.waiting.sendText)).to.deep.equal([
      'It goes out at once to 21 people who are to be online first, online or not. Quiet hours are kept.',
      'It goes out at once to 1 person in quiet hours, whatever the hour is where they are. Their own quiet hours are kept.',
      'It goes out at once to 2 people in quiet hours, whatever the hour is where they are, and to 3 people who are to be online first, online or not. Their own quiet hours are kept.',
    ])
    expect([online, quiet, mixed].map(ru.waiting.sendText)).to.deep.equal([
      'Сообщение уйдёт сразу тем, кто должен был сначала появиться в сети (21 человек), даже если их там нет. Тихие часы соблюдаются.',
      'Сообщение уйдёт сразу тем, у кого тихие часы (1 человек), который бы час у них ни был. Их собственные тихие часы соблюдаются.',
      'Сообщение уйдёт сразу тем, у кого тихие часы (2 человека), который бы час у них ни был, и тем, кто должен был сначала появиться в сети (3 человека), даже если их там нет. Их собственные тихие часы соблюдаются.',
    ])
    const rest = 'People who have it keep it. This cannot be undone.'
    expect(en.waiting.cancelText(quiet)).to.equal(`They will not get it. ${rest}`)
    expect(en.waiting.cancelText(online)).to.equal(
      `They will not get it, not even when they are online (21 people). ${rest}`,
    )
    expect(ru.waiting.cancelText(online)).to.equal(
      'Они его не получат, даже когда появятся в сети (21 человек). У тех, кто получил, оно останется. Отменить это нельзя.',
    )
  })
})
