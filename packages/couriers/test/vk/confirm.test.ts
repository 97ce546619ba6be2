import { expect } from 'chai'
import { type Fixture, items, neverAborted, startFixture } from './fixture.ts'

describe('vk: a button that confirms', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await startFixture()
  })
  afterEach(() => fixture.stop())

  const asked = (count: number, text: string) =>
    items(count, text).map((item, i) => ({ ...item, confirm: { label: 'Прочитано', token: `token-${i}` } }))
  const payloads = () =>
    fixture.requests.flatMap(({ params }) =>
      [...params].flatMap(([name, value]) =>
        name.startsWith('keyboard') ? [JSON.parse(value).buttons[0][0].action.payload as string] : [],
      ),
    )

  it('is each one’s own, in a call of its own, under a random_id of its own', async () => {
    const outcomes = await fixture.courier.send(asked(60, 'Экзамен'), neverAborted)
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(Array(60).fill('sent'))
    expect(fixture.requests).to.have.length(3)
    expect(payloads()).to.deep.equal(asked(60, '').map(({ confirm }) => JSON.stringify({ confirm: confirm.token })))
    expect(new Set(fixture.world.accepted.map(({ key }) => key)).size).to.equal(60)
    expect(fixture.world.accepted.map(({ buttons }) => buttons)).to.deep.equal(Array(60).fill([['Прочитано']]))
  })

  it('stands under the last part alone; a resend is folded', async () => {
    const text = `${'абв '.repeat(1500)}конец`
    await fixture.courier.send(asked(3, text), neverAborted)
    await fixture.courier.send(asked(3, text), neverAborted)
    const { accepted } = fixture.world
    expect(accepted.map(({ buttons }) => buttons !== undefined)).to.deep.equal([
      ...Array(3).fill(false),
      ...Array(3).fill(true),
    ])
    expect(new Set(accepted.slice(0, 3).map(({ key }) => key)).size, 'one call for the first part').to.equal(1)
  })

  it('is not added to somebody beside them who is not asked', async () => {
    const [first, second] = asked(2, 'Экзамен')
    const { confirm: _, ...plain } = second as NonNullable<typeof second>
    await fixture.courier.send([first as NonNullable<typeof first>, plain], neverAborted)
    expect(fixture.world.accepted.map(({ buttons }) => buttons)).to.deep.equal([[['Прочитано']], undefined])
  })
})
