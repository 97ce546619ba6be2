/** A student confirms on their own page, from a phone, that they have read a message; and not a text that they have not seen. */
import type { HistoryView } from '@courier-fleet/api-types'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { expectFine } from './looks.ts'
import { visit } from './visit.ts'

const words = {
  ru: {
    received: 'Что вам приходило',
    usual: 'Прочитано',
    own: 'Приду',
    done: /^Вы подтвердили: здесь, /,
    older: /с тех пор текст исправили/,
  },
  en: {
    received: 'What you have received',
    usual: 'I have read this',
    own: 'I will come',
    done: /^You have confirmed it: here, /,
    older: /the text has been corrected since/,
  },
} as const
const button = { ru: words.ru.own, en: words.en.own }

describe('confirming on one’s own page', () => {
  let fleet: Fleet
  let browser: Browser
  before(async () => {
    ;[fleet, browser] = await Promise.all([startFleet(), launchChromium()])
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
  })

  for (const [index, language] of (['ru', 'en'] as const).entries()) {
    it(`is one press, and of the text that stands there, in ${language}`, async () => {
      const said = words[language]
      const id = `s-reads-${language}`
      await fleet.api.call('PUT', `/v1/people/${id}`, { name: `Reader ${language}`, role: 'student', language })
      await fleet.api.call('PUT', `/v1/contacts/sms/${id}`, { address: `+7900777100${index}` })
      const send = async (message: object) =>
        (await fleet.api.deliver({ to: [`user:${id}`], text: '', channels: ['sms'], ...message })).history.key
      const confirmed = async (key: string) => (await fleet.api.get<HistoryView>(`/v1/histories/${key}`)).confirmed?.yes
      const meeting = await send({ text: 'Собрание в среду', confirm: { button } })
      const exam = await send({ text: 'Экзамен в понедельник', confirm: true })
      const visitor = await visit(browser, fleet, { language, width: 360, height: 740 })
      const { page } = visitor
      await visitor.signIn(id)
      const received = page.getByRole('region', { name: said.received })
      const row = (text: string) => received.getByRole('listitem').filter({ hasText: text })
      const press = (text: string, name: string) => row(text).getByRole('button', { name, exact: true })
      await press('Собрание в среду', said.own).waitFor()
      await expectFine(page, 'a message to confirm')

      await press('Собрание в среду', said.own).focus()
      await page.keyboard.press('Enter')
      await row('Собрание в среду').getByText(said.done).waitFor()
      expect(await row('Собрание в среду').getByRole('button').count(), 'once is enough').to.equal(0)
      expect(await page.evaluate('document.activeElement.textContent'), 'where the button was').to.match(
        /^Собрание в среду/,
      )
      expect([await confirmed(meeting), await confirmed(exam)]).to.deep.equal([1, 0])

      // while the page shows the older text
      await fleet.api.call('POST', `/v1/histories/${exam}/corrections`, { text: 'Экзамен во вторник' })
      await press('Экзамен в понедельник', said.usual).click()
      await row('Экзамен во вторник').getByText(said.older).waitFor()
      expect(await confirmed(exam)).to.equal(0)
      await expectFine(page, 'a text that was corrected')
      await press('Экзамен во вторник', said.usual).click()
      await row('Экзамен во вторник').getByText(said.done).waitFor()
      expect(await confirmed(exam)).to.equal(1)
      expect(await row('Экзамен во вторник').getByRole('alert').count(), 'what was wrong is over').to.equal(0)
      expect(visitor.complaints).to.deep.equal([])
      await visitor.close()
    })
  }
})
