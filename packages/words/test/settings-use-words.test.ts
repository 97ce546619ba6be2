import { expect } from 'chai'
import { settingsUseWords } from '../src/settings-use-words.ts'

const seenAt = '2026-09-01T05:02:00.000Z'
const time = (at: string) => at.slice(11, 16)

describe('how many processes use the newest settings', () => {
  const words = (use: Parameters<typeof settingsUseWords>[1]) =>
    (['en', 'ru'] as const).map((language) => settingsUseWords(language, use, time))

  it('is a sentence', () => {
    expect(words({ version: 12, using: 7, of: 7, behind: [] })).to.deep.equal([
      ['7 of 7 processes use version 12 of the settings.'],
      ['Версию настроек 12 используют процессы: 7 из 7.'],
    ])
    expect(words({ version: 0, using: 1, of: 1, behind: [] })[0]).to.deep.equal([
      '1 of 1 process uses version 0 of the settings.',
    ])
  })

  it('names those that are behind, and when each was last heard of', () => {
    const behind = [
      { name: 'courier-vk-2', version: 11, seenAt },
      { name: 'queue-1', seenAt },
    ]
    expect(words({ version: 12, using: 5, of: 7, behind })).to.deep.equal([
      [
        '5 of 7 processes use version 12 of the settings.',
        'courier-vk-2 uses version 11, as of its last sign 05:02.',
        'queue-1 has not said which version it uses, as of its last sign 05:02.',
      ],
      [
        'Версию настроек 12 используют процессы: 5 из 7.',
        'courier-vk-2: версия 11, последний сигнал 05:02.',
        'queue-1: версию не сообщил, последний сигнал 05:02.',
      ],
    ])
  })
})
