/** Templates at the web app: staff make one, change it beside somebody who is faster, set an earlier version again, and archive it. */
import type { TemplateList, TemplateVersions, TemplateView } from '@courier-fleet/api-types'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import type { Api } from '../e2e/api.ts'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { expectEveryLook } from './looks.ts'
import { choose, expectNoComplaints, type Visit, visit } from './visit.ts'

const english = '{{name}}, your exam is in room {{room}}, seat {{seat}}'
const russian = '{{name}}, экзамен в ауд. {{room}}, место {{seat}}'

describe('the web app and templates', () => {
  let fleet: Fleet
  let browser: Browser
  let desk: Visit
  /** another of the staff */
  let other: Api
  before(async () => {
    ;[fleet, browser] = await Promise.all([startFleet(), launchChromium()])
    const person = { timeZone: 'UTC', language: 'en' }
    await fleet.api.call('PUT', '/v1/people/desk', { ...person, name: 'Dean’s office', role: 'staff' })
    await fleet.api.call('PUT', '/v1/contacts/sms/desk', { address: '+79005554436' })
    await fleet.api.call('PUT', '/v1/people/taught', { ...person, name: 'Ann', role: 'student', fields: { seat: '7' } })
    await fleet.api.call('PUT', '/v1/contacts/sms/taught', { address: '+79005554437' })
    await fleet.api.call('PUT', '/v1/groups/seats', { name: 'Seated ones', owners: ['t-01'] })
    await fleet.api.call('POST', '/v1/groups/seats/members', { people: ['taught'] })
    other = await fleet.apiOf('desk-2', 'staff')
    desk = await visit(browser, fleet, { language: 'en', width: 360, height: 740 })
    await desk.signIn('desk')
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
  })
  afterEach(function () {
    return expectNoComplaints.call(this, desk)
  })

  const stored = () => fleet.api.get<TemplateView>('/v1/templates/exam-room')
  const versions = async () =>
    (await fleet.api.get<TemplateVersions>('/v1/templates/exam-room/versions')).versions.map(
      ({ version, by, archived = false }) => [version, by, archived],
    )
  const save = () => desk.page.getByRole('button', { name: 'Save', exact: true }).click()
  const write = (label: string, text: string) => desk.page.getByLabel(label, { exact: true }).fill(text)

  it('are made on a page of their own: what is wrong is named, and it is read as somebody will read it', async () => {
    const { page } = desk
    await page.getByRole('link', { name: 'Templates' }).click()
    await page.getByText('There are no templates yet.', { exact: true }).waitFor()
    await expectEveryLook(page, 'no templates')
    await page.getByRole('link', { name: 'New template' }).click()
    await write('Id', 'exam-room')
    await write('Name in Russian', 'Аудитория экзамена')
    await write('Name in English', 'Exam room')
    await write('Text', '{{name}}, room {{ro om}}')
    await page.getByText('{{ro om}} is no field.', { exact: false }).waitFor()
    await save()
    await write('Text', english)
    await page.getByRole('button', { name: 'Add a language' }).click()
    const languages = page.getByLabel('Language, such as ru, en or de')
    await languages.nth(0).fill('en')
    await languages.nth(1).fill('en')
    await page.getByText('There is a text in this language.', { exact: true }).first().waitFor()
    await languages.nth(1).fill('ru')
    await write('Text: ru', '{{name}}, экзамен в ауд. {{room}}')
    await page.getByText('A field of another language is missing here: {{seat}}.', { exact: true }).waitFor()
    await expectEveryLook(page, 'a template with flaws')
    await save()
    expect((await fleet.api.get<TemplateList>('/v1/templates')).templates).to.deep.equal([])
    await write('Text: ru', russian)
    await page.getByLabel('Ask the sender for {{room}}').check()
    await write('Question in Russian', 'Аудитория')
    await write('Question in English', 'Room')
    await write('Example', '204')
    await page.getByText(/^Not known for 1 person: \{\{seat\}\}\./).waitFor()
    await page.getByLabel('Read by').selectOption('Seated ones')
    await page.getByText(/^This is how Ann will read it\./).waitFor()
    await page.getByText('Ann, your exam is in room 204, seat 7', { exact: true }).waitFor()
    await expectEveryLook(page, 'a template as somebody reads it')
    await save()
    await page.getByText('Saved: version 1.', { exact: false }).waitFor()
    await page.getByText('exam-room · Version 1 · asks for: Room', { exact: true }).waitFor()
    expect(await stored()).to.deep.include({
      name: { ru: 'Аудитория экзамена', en: 'Exam room' },
      text: { en: english, ru: russian },
      language: 'en',
      fields: [{ name: 'room', label: { ru: 'Аудитория', en: 'Room' }, example: '204' }],
      by: 'desk',
    })
  })

  it('says how many SMS a text is, and which id is taken', async () => {
    const { page } = desk
    await page.getByRole('link', { name: 'New template' }).click()
    await write('Id', 'exam-room')
    await write('Name in Russian', 'Длинный')
    await write('Name in English', 'Long')
    await write('Text', 'Долгий текст. '.repeat(10))
    await page.getByText('As SMS: 3 parts.', { exact: false }).waitFor()
    await save()
    await page.getByText('There is a template with this id. Choose another id.', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Templates', exact: true }).click()
    expect(await versions()).to.deep.equal([[1, 'desk', false]])
  })

  it('names who was faster, keeps what was written, and lets it be the next version', async () => {
    const { page } = desk
    await page.getByRole('link', { name: 'Exam room', exact: true }).click()
    await page.getByText(/^Version 1: /).waitFor()
    const theirs = { name: { ru: 'Аудитория экзамена', en: 'Exam room' }, text: 'Theirs: {{room}}', fields: [] }
    await other.call('PUT', '/v1/templates/exam-room', theirs, { 'if-match': '"1"' })
    await write('Text: en', `${english}!`)
    await save()
    await page.getByText(/^desk-2 has changed it meanwhile, .+ What you have written is still here\./).waitFor()
    expect(await page.getByLabel('Text: en', { exact: true }).inputValue()).to.equal(`${english}!`)
    await page.getByText(/^Version 2: /).click()
    await page.getByText('Theirs: {{room}}', { exact: true }).waitFor()
    await expectEveryLook(page, 'somebody was faster')
    await save()
    await page.getByText('Saved: version 3.', { exact: false }).waitFor()
    expect(await stored()).to.deep.include({ version: 3, text: { en: `${english}!`, ru: russian } })
    // opened again, it is what it has become since the list was read
    await other.call('PUT', '/v1/templates/exam-room', theirs, { 'if-match': '"3"' })
    await page.getByRole('link', { name: 'Exam room', exact: true }).click()
    await page.getByText(/^Version 4: /).waitFor()
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).to.equal('Theirs: {{room}}')
    await page.getByText(/^Version 3: /).click()
    await page.getByRole('button', { name: 'Set version 3 again' }).click()
    await page.getByText('Saved: version 5.', { exact: false }).waitFor()
    expect(await stored()).to.deep.include({ version: 5, text: { en: `${english}!`, ru: russian } })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('It is as it was before.', { exact: true }).waitFor()
    expect(await stored()).to.deep.include({ version: 6, text: 'Theirs: {{room}}' })
  })

  it('are archived, and not so after all; what cannot be undone any more is said', async () => {
    const { page } = desk
    const archive = async () => {
      await page.getByRole('link', { name: 'Exam room', exact: true }).click()
      await page.getByRole('button', { name: 'Archive', exact: true }).click()
      await page.getByText('Archived: nobody can choose it any more.', { exact: false }).waitFor()
    }
    await archive()
    await page.getByText('There are no templates yet.', { exact: true }).waitFor()
    await page.getByLabel('Archived ones, too').check()
    await page.getByText('archived', { exact: true }).waitFor()
    await expectEveryLook(page, 'an archived template')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('archived', { exact: true }).waitFor({ state: 'detached' })
    expect((await stored()).archived).to.equal(undefined)
    await archive()
    const { version, name } = await stored()
    const another = { name, text: 'Another: {{room}}' }
    await other.call('PUT', '/v1/templates/exam-room', another, { 'if-match': `"${version}"` })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Somebody else has changed this. Look at it, then try again.', { exact: true }).waitFor()
    expect((await versions())[0]).to.deep.equal([version + 1, 'desk-2', false])
  })

  it('are for staff: who teaches chooses one and is shown no page of them', async () => {
    const teacher = await visit(browser, fleet, { language: 'ru' })
    await teacher.signIn('t-01')
    const { page } = teacher
    await page.goto(`${fleet.apiUrl}/templates`)
    await page.getByRole('heading', { level: 1, name: 'Группы и потоки' }).waitFor()
    expect(await page.getByRole('link', { name: 'Шаблоны' }).count()).to.equal(0)
    await page.getByRole('link', { name: 'Написать' }).click()
    await choose(page, /^Seated ones/)
    await page.getByLabel('Шаблон', { exact: true }).selectOption({ label: 'Аудитория экзамена' })
    await page.getByText('Another: {{room}}', { exact: true }).first().waitFor()
    expect(teacher.complaints).to.deep.equal([])
    await teacher.close()
  })
})
