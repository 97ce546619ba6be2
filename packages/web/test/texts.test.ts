/** Both languages say everything, and every number in its right form. */
import { expect } from 'chai'
import { channelSettingsTexts } from '../src/texts/channel-settings.ts'
import { en } from '../src/texts/en.ts'
import { importTexts } from '../src/texts/import.ts'
import { integrationTexts } from '../src/texts/integrations.ts'
import { lookUpTexts } from '../src/texts/look-up.ts'
import { messagesTexts } from '../src/texts/messages-page.ts'
import { moreSettingsTexts } from '../src/texts/more-settings.ts'
import { processTexts } from '../src/texts/process.ts'
import { ru } from '../src/texts/ru.ts'
import { rulesTexts } from '../src/texts/rules.ts'
import { serviceTexts } from '../src/texts/service.ts'
import { eventsTexts } from '../src/texts/service-events.ts'
import { numbersTexts } from '../src/texts/service-numbers.ts'
import { settingsChangeTexts } from '../src/texts/settings-change.ts'
import { templateTexts } from '../src/texts/templates.ts'

describe('the texts', () => {
  const pathsOf = (words: object, path = ''): string[] =>
    Object.entries(words).flatMap(([name, value]) =>
      typeof value === 'object' ? pathsOf(value, `${path}${name}.`) : [`${path}${name}`],
    )

  it('are complete in both languages', () => {
    expect(pathsOf(ru)).to.deep.equal(pathsOf(en))
    expect(pathsOf(messagesTexts.ru)).to.deep.equal(pathsOf(messagesTexts.en))
    expect(pathsOf(integrationTexts.ru)).to.deep.equal(pathsOf(integrationTexts.en))
    expect(pathsOf(rulesTexts.ru)).to.deep.equal(pathsOf(rulesTexts.en))
    expect(pathsOf(importTexts.ru)).to.deep.equal(pathsOf(importTexts.en))
    expect(pathsOf(serviceTexts.ru)).to.deep.equal(pathsOf(serviceTexts.en))
    expect(pathsOf(eventsTexts.ru)).to.deep.equal(pathsOf(eventsTexts.en))
    expect(pathsOf(numbersTexts.ru)).to.deep.equal(pathsOf(numbersTexts.en))
    expect(pathsOf(channelSettingsTexts.ru)).to.deep.equal(pathsOf(channelSettingsTexts.en))
    expect(pathsOf(moreSettingsTexts.ru)).to.deep.equal(pathsOf(moreSettingsTexts.en))
    expect(pathsOf(processTexts.ru)).to.deep.equal(pathsOf(processTexts.en))
    expect(pathsOf(settingsChangeTexts.ru)).to.deep.equal(pathsOf(settingsChangeTexts.en))
    expect(pathsOf(templateTexts.ru)).to.deep.equal(pathsOf(templateTexts.en))
    expect(pathsOf(lookUpTexts.ru)).to.deep.equal(pathsOf(lookUpTexts.en))
  })

  it('count as people do', () => {
    expect([1, 2, 5, 11, 21, 22].map(ru.people)).to.deep.equal([
      '1 человек',
      '2 человека',
      '5 человек',
      '11 человек',
      '21 человек',
      '22 человека',
    ])
    expect([1, 2, 1000].map(en.people)).to.deep.equal(['1 person', '2 people', '1,000 people'])
  })

  it('say how long before or after its event a message is due', () => {
    const offsets = [-7200, -90, 0, 1800]
    expect(offsets.map(en.message.fromEvent)).to.deep.equal([
      '2 h before it',
      '90 s before it',
      'at its time',
      '30 min after it',
    ])
    expect(offsets.map(ru.message.fromEvent)).to.deep.equal([
      'за 2 ч до него',
      'за 90 с до него',
      'в его время',
      'через 30 мин после него',
    ])
  })
})
