import { expect } from 'chai'
import { foretoldSteps, personWords, stepsWords } from '../src/index.ts'

const first = { channels: ['telegram', 'vk'] }
const sms = { channels: ['sms'], after: 'PT10M' }
const moment = () => '08:10'

describe('steps in words', () => {
  it('say what each has done, and no more', () => {
    const steps = [
      { ...first, waiting: 0, reached: 268, sent: 300, spared: 0 },
      { ...sms, unless: 'confirmed' as const, at: '2026-09-01T08:10:00Z', waiting: 22, sent: 16, spared: 268 },
    ]
    expect(stepsWords('en', steps, moment)).to.deep.equal([
      'Telegram, VK: 300 sent, confirmed by 268.',
      'SMS, 10 minutes later: 16 sent, not needed by 268, 22 still to go, the next at 08:10.',
    ])
    expect(stepsWords('ru', steps, moment)).to.deep.equal([
      'Telegram, ВКонтакте: отправлено 300, отметили 268.',
      'SMS, позже на 10 минут: отправлено 16, не понадобилось 268, осталось 22, ближайшие 08:10.',
    ])
    const sent = [
      { ...first, waiting: 0, reached: 300, sent: 300, spared: 0 },
      { ...sms, unless: 'sent' as const, waiting: 0, sent: 0, spared: 0 },
    ]
    expect(stepsWords('en', sent), 'that they were reached is that it was sent').to.deep.equal([
      'Telegram, VK: 300 sent.',
      'SMS, 10 minutes later: nobody.',
    ])
  })

  it('say what its SMS have come to, in parts or in money', () => {
    const step = { ...sms, unless: 'sent' as const, waiting: 0, sent: 16, spared: 268 }
    const steps = [{ ...step, cost: { parts: 22 } }]
    expect(stepsWords('en', steps)).to.deep.equal(['SMS, 10 minutes later: 16 sent, spent 22 SMS, not needed by 268.'])
    const paid = [{ ...step, cost: { millionths: 44_500_000, currency: 'RUB' } }]
    expect(stepsWords('ru', paid).map((line) => line.replaceAll('\u00a0', ' '))).to.deep.equal([
      'SMS, позже на 10 минут: отправлено 16, потрачено 44,50 ₽, не понадобилось 268.',
    ])
  })

  it('say before it is sent whom each is for, at most', () => {
    const steps = [
      { ...first, atMost: 300, atOnce: 300 },
      { ...sms, unless: 'sent' as const, atMost: 312, atOnce: 12 },
    ]
    expect(foretoldSteps('en', steps)).to.deep.equal([
      'Telegram, VK: 300 people at most.',
      'SMS, 10 minutes later, only to people it could not be sent to before: 312 people at most; 12 need not wait: they have no other contact.',
    ])
    expect(foretoldSteps('ru', steps)).to.deep.equal([
      'Telegram, ВКонтакте: не больше 300 человек.',
      'SMS, позже на 10 минут, только тем, кому не отправилось раньше: не больше 312 человек; для 12 ждать нечего: другого контакта у них нет.',
    ])
  })

  it('of one person name the channel that they have it by', () => {
    const channels = {
      telegram: { state: 'sent' as const },
      sms: { state: 'cancelled' as const, reason: 'reached-elsewhere' as const },
    }
    expect(personWords('en', { channels })).to.match(/SMS: cancelled \(not needed after Telegram\)$/)
    expect(personWords('ru', { channels })).to.match(/SMS: отменено \(не понадобилось после Telegram\)$/)
  })
})
